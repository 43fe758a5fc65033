// The tokens of Seep that depend on more than their characters: names and reserved words, words that are keywords only where they stand,
// the several meanings of '=', ';' and 'in', numbers that nothing may follow, and comments, which nest.
//
// It is asked before every token, as comments may stand anywhere. What it has to know of the text before is in struct Scanner; what it has
// to know of the text behind it looks up. Newlines count in few places: what stands behind 'return' and its like begins on their line.

#include <stdlib.h>
#include <string.h>

#include "identifiers.h"
#include "tree_sitter/parser.h"

// In the order of the externals in grammar.js.
enum Token {
  IDENTIFIER, NUMBER,
  PARAM, CONST, SECRET, OUTPUT, IF, FOR, WHILE, OBSERVE, SKIP, SHOW, REQUIRE, INITIAL, INF,
  DEF, ENUM, TABLE, ATTACKER, IMPORT, RETURN, BREAK, CONTINUE, REPEAT, UNTIL, NEVER,
  FROM, AS, WEIGHT, GIVEN, MAX, MIN,
  TILDE, SEMICOLON, DOT,
  BETWEEN, FIRST_NAMED, NAMED, MEASURE, UNIT_IN,
  LINE_COMMENT, DOCUMENTATION, BLOCK_COMMENT,
  FAULT,
};

// No look ahead is longer than FARTHEST characters, so that no text takes time that grows with its square.
enum { FIRST_RESERVED = PARAM, FIRST_HEAD = DEF, FIRST_LINK = FROM, LONGEST = 16, FARTHEST = 10000, NEVER_SEEN = 0xffff };

static const char *const WORDS[] = {
  "param", "const", "secret", "output", "if", "for", "while", "observe", "skip", "show", "require", "initial", "inf",
  "def", "enum", "table", "attacker", "import", "return", "break", "continue", "repeat", "until", "never",
  "from", "as", "weight", "given", "max", "min",
};
// Reserved, and left to the lexer of the grammar.
static const char *const INNER[] = {
  "in", "then", "else", "over", "bits", "nats", "and", "or", "xor", "not", "true", "false", "final",
};
// Measures whose arguments have no names: a '=' in them is a slip for '=='.
static const char *const UNNAMED[] = {"H", "I", "KL", "P", "E", "Var", "Hmin", "V", "Guess", "Lmin", "Cmin", "G"};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

typedef struct {
  uint8_t head;     // the token that the statement begins with
  bool draws;       // whether its '~' was read
  bool links;       // whether the last name was a word that 'from', 'as' and 'weight' do not follow
  uint16_t margin;  // how far the last line that begins with a statement is indented
  uint16_t joined;  // the column behind a comment, if a line ended before that or in it
} Scanner;

// What a look ahead finds.
typedef struct {
  char word[LONGEST + 1];  // empty if there is none; cut off if it is long
  bool newline;            // whether a line ended before it
  bool moved;              // whether anything stood before it
  bool slash;              // whether it is a '/', behind which the look ahead ends
} Ahead;

// --- characters ---

static bool is_line_end(int32_t c) { return c == '\n' || c == '\r'; }
static bool is_space(int32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// 2: begins names; 1: stands inside of names; 0: in none.
static unsigned kind_beyond_ascii(int32_t c) {
  size_t low = 0, high = COUNT(IDENTIFIERS);
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if ((int32_t)(IDENTIFIERS[middle] >> 2) <= c) low = middle; else high = middle;
  }
  return IDENTIFIERS[low] & 3;
}

static bool begins_name(int32_t c) { return is_letter(c) || (c > 127 && kind_beyond_ascii(c) == 2); }
static bool continues_name(int32_t c) { return is_letter(c) || is_digit(c) || (c > 127 && kind_beyond_ascii(c) > 0); }

static void next(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool listed(const char *word, const char *const *list, size_t count) {
  for (size_t at = 0; at < count; at++)
    if (!strcmp(word, list[at])) return true;
  return false;
}

static unsigned token_of(const char *word) {
  for (unsigned at = 0; at < COUNT(WORDS); at++)
    if (!strcmp(word, WORDS[at])) return FIRST_RESERVED + at;
  return IDENTIFIER;
}

static bool is_reserved(const char *word) {
  unsigned token = token_of(word);
  return (token != IDENTIFIER && token < FIRST_HEAD) || listed(word, INNER, COUNT(INNER));
}

static bool is_name(const Ahead *found) { return found->word[0] && !is_reserved(found->word); }

// Reads a word; one of another kind, or longer than any that means something, counts as a name.
static void read_word(TSLexer *lexer, char *word) {
  unsigned length = 0;
  while (continues_name(lexer->lookahead)) {
    if (length < LONGEST) word[length++] = lexer->lookahead < 128 ? (char)lexer->lookahead : '?';
    next(lexer);
  }
  word[length] = 0;
}

// --- looking ahead ---

// Reads a block comment behind its first '/', up to the '*'; false where it never ends.
static bool read_block_comment(TSLexer *lexer, bool *newline) {
  unsigned depth = 0;
  int32_t before = '/';
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    next(lexer);
    *newline = *newline || is_line_end(c);
    if (before == '/' && c == '*') {
      depth++;
      c = 0;
    } else if (before == '*' && c == '/') {
      if (!--depth) return true;
      c = 0;
    }
    before = c;
  }
  return false;
}

// Goes to the next token, over comments; tells whether it is a '/' whose character is read already.
static bool skip_gap(TSLexer *lexer, Ahead *found) {
  for (;;) {
    int32_t c = lexer->lookahead;
    if (is_space(c)) {
      found->newline = found->newline || is_line_end(c);
      next(lexer);
    } else if (c == '/') {
      next(lexer);
      if (lexer->lookahead == '/') {
        while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) next(lexer);
      } else if (lexer->lookahead != '*' || !read_block_comment(lexer, &found->newline)) {
        return true;
      }
    } else {
      return false;
    }
    found->moved = true;
  }
}

static void look(TSLexer *lexer, Ahead *found) {
  memset(found, 0, sizeof *found);
  found->slash = skip_gap(lexer, found);
  if (!found->slash && begins_name(lexer->lookahead)) read_word(lexer, found->word);
}

static void skip_string(TSLexer *lexer) {
  do next(lexer); while (!lexer->eof(lexer) && lexer->lookahead != '"' && !is_line_end(lexer->lookahead));
  if (lexer->lookahead == '"') next(lexer);
}

// Goes behind the ']' that closes the '[' ahead; false where nothing does.
static bool skip_subscripts(TSLexer *lexer) {
  unsigned depth = 0;
  Ahead gap;
  for (unsigned at = 0; at < FARTHEST && !lexer->eof(lexer); at++) {
    if (skip_gap(lexer, &gap)) continue;
    int32_t c = lexer->lookahead;
    if (c == '"') {
      skip_string(lexer);
      continue;
    }
    next(lexer);
    if (c == '[') depth++;
    if (c == ']' && !--depth) return true;
  }
  return false;
}

// Tells whether a ':=' is ahead, or a '~'.
static bool is_assignment(TSLexer *lexer) {
  if (lexer->lookahead == '~') return true;
  if (lexer->lookahead != ':') return false;
  next(lexer);
  return lexer->lookahead == '=';
}

// Tells whether what is ahead of a word makes it a target: ':=', '~', '=', ',' or a field.
static bool makes_target(TSLexer *lexer, bool gap) {
  int32_t c = lexer->lookahead;
  if (c == ',') return true;
  if (c == '=' || c == '.') {
    next(lexer);
    return c == '=' ? lexer->lookahead != '=' : !gap && begins_name(lexer->lookahead);
  }
  return is_assignment(lexer);
}

static bool string_on_line(TSLexer *lexer) {
  for (unsigned at = 0; at < FARTHEST && !lexer->eof(lexer) && !is_line_end(lexer->lookahead); at++) {
    if (lexer->lookahead == '"') return true;
    next(lexer);
  }
  return false;
}

// --- words that are keywords where they stand ---

// Tells what a word is at which a statement begins: itself, a name, or a fault.
static unsigned head_token(TSLexer *lexer, unsigned word) {
  Ahead behind;
  look(lexer, &behind);
  bool keeps_line = word != BREAK && word != CONTINUE && word != REPEAT && word != NEVER;
  if (behind.word[0]) {
    if (word == IMPORT) return !behind.newline && string_on_line(lexer) ? IMPORT : IDENTIFIER;
    bool apart = is_name(&behind) || !strcmp(behind.word, "if");
    return keeps_line && behind.newline && apart ? FAULT : word;
  }
  if (lexer->lookahead == '[') {
    if (!skip_subscripts(lexer)) return IDENTIFIER;
    Ahead after = {0};
    if (skip_gap(lexer, &after)) return word;
    return lexer->lookahead == '[' || makes_target(lexer, after.moved) ? IDENTIFIER : word;
  }
  if (makes_target(lexer, behind.moved)) return IDENTIFIER;
  if (word == IMPORT) return lexer->lookahead == '"' ? IMPORT : IDENTIFIER;
  return (word == RETURN || word == UNTIL) && lexer->lookahead == '{' ? FAULT : word;
}

// Tells what a 'given' is behind a law: itself, a name that begins the next statement, or a fault.
static unsigned given_token(TSLexer *lexer) {
  Ahead behind;
  look(lexer, &behind);
  if (behind.word[0]) return behind.newline && (is_name(&behind) || !strcmp(behind.word, "if")) ? FAULT : GIVEN;
  int32_t c = lexer->lookahead;
  if (lexer->eof(lexer) || c == '[' || c == '}' || c == ';') return IDENTIFIER;
  if (c == '{') return FAULT;
  return makes_target(lexer, behind.moved) ? IDENTIFIER : GIVEN;
}

// Tells what any other word is that is no reserved one.
static unsigned name_token(const Scanner *scanner, TSLexer *lexer, const bool *valid, const char *word, bool newline) {
  unsigned token = token_of(word);
  bool begins = valid[SKIP] || valid[UNTIL] || valid[NEVER];
  bool lists = (scanner->head == SECRET || scanner->head == OUTPUT) && valid[SKIP] && !newline;
  if (begins && !lists && token >= FIRST_HEAD && token < FIRST_LINK) return head_token(lexer, token);
  Ahead behind;
  switch (token) {
    case FROM:
      if (valid[FROM] && !newline && !scanner->links) return FROM;
      break;
    case AS:
    case WEIGHT:
      if (!valid[token] || newline) break;
      look(lexer, &behind);
      return behind.newline && is_name(&behind) ? FAULT : token;
    case GIVEN:
      if (valid[GIVEN]) return given_token(lexer);
      break;
    case MAX:
    case MIN:
      if (!valid[token]) break;
      look(lexer, &behind);
      return (!behind.slash && is_digit(lexer->lookahead)) || (is_name(&behind) && !behind.newline) ? token : IDENTIFIER;
    default:
      break;
  }
  // What stands on the line of a list belongs to it, unless it is assigned to; and the last of several targets stands on the line of the
  // comma before it.
  if (lists || (newline && !begins)) {
    Ahead gap = {0};
    bool assigned = !skip_gap(lexer, &gap) && (lexer->lookahead != '[' || (skip_subscripts(lexer) && !skip_gap(lexer, &gap)));
    assigned = assigned && is_assignment(lexer);
    return assigned == lists ? IDENTIFIER : FAULT;
  }
  bool measures = scanner->head == SHOW || scanner->head == REQUIRE;
  if (measures && valid[MEASURE] && listed(word, UNNAMED, COUNT(UNNAMED))) {
    look(lexer, &behind);
    return !behind.slash && lexer->lookahead == '(' ? MEASURE : IDENTIFIER;
  }
  return IDENTIFIER;
}

// --- tokens ---

static bool give(TSLexer *lexer, unsigned token) {
  lexer->result_symbol = (TSSymbol)token;
  return true;
}

static void begin(Scanner *scanner, unsigned head, bool newline, uint16_t column) {
  scanner->head = (uint8_t)head;
  scanner->draws = false;
  if (newline) scanner->margin = column;
}

static bool scan_word(Scanner *scanner, TSLexer *lexer, const bool *valid, bool newline, uint16_t column) {
  char word[LONGEST + 1];
  read_word(lexer, word);
  lexer->mark_end(lexer);
  unsigned token = token_of(word);
  bool begins = valid[SKIP] || valid[UNTIL] || valid[NEVER];
  if (is_reserved(word)) {
    if (!strcmp(word, "in") && valid[UNIT_IN]) {
      Ahead gap = {0};
      if (skip_gap(lexer, &gap) || lexer->lookahead != '{') return give(lexer, UNIT_IN);
    }
    if (token == IDENTIFIER) return false;
    // 'for' in brackets is a clause on their line, or where it is indented beyond the statement.
    if (token == FOR && !begins && newline && column <= scanner->margin) token = FAULT;
    if (token == IF || token == WHILE) {
      Ahead gap = {0};
      if (!skip_gap(lexer, &gap) && lexer->lookahead == '{') token = FAULT;
    }
  } else {
    token = name_token(scanner, lexer, valid, word, newline);
    scanner->links = !strcmp(word, "table") || !strcmp(word, "import") || (token_of(word) >= FROM && token_of(word) <= WEIGHT);
  }
  if (begins && token != FAULT) begin(scanner, token, newline, column);
  return give(lexer, token);
}

static bool scan_number(TSLexer *lexer) {
  while (is_digit(lexer->lookahead)) next(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead == '.') {
    next(lexer);
    if (!is_digit(lexer->lookahead)) return give(lexer, NUMBER);
    while (is_digit(lexer->lookahead)) next(lexer);
    lexer->mark_end(lexer);
  }
  if (lexer->lookahead == 'e' || lexer->lookahead == 'E') {
    next(lexer);
    if (lexer->lookahead == '+' || lexer->lookahead == '-') next(lexer);
    if (!is_digit(lexer->lookahead)) return give(lexer, FAULT);
    while (is_digit(lexer->lookahead)) next(lexer);
    lexer->mark_end(lexer);
  }
  if (!continues_name(lexer->lookahead)) return give(lexer, NUMBER);
  while (continues_name(lexer->lookahead)) next(lexer);
  lexer->mark_end(lexer);
  return give(lexer, FAULT);
}

static bool scan_comment(Scanner *scanner, TSLexer *lexer, bool newline) {
  next(lexer);
  if (lexer->lookahead == '/') {
    unsigned slashes = 1;
    for (; lexer->lookahead == '/'; next(lexer)) slashes++;
    while (!lexer->eof(lexer) && !is_line_end(lexer->lookahead)) next(lexer);
    lexer->mark_end(lexer);
    return give(lexer, slashes == 3 ? DOCUMENTATION : LINE_COMMENT);
  }
  if (lexer->lookahead != '*') return false;
  bool ends = read_block_comment(lexer, &newline);
  lexer->mark_end(lexer);
  if (newline) scanner->joined = (uint16_t)lexer->get_column(lexer);
  if (lexer->lookahead == '.') {  // no field is behind a comment
    next(lexer);
    ends = ends && !begins_name(lexer->lookahead);
  }
  return give(lexer, ends ? BLOCK_COMMENT : FAULT);
}

static bool scan_equals(const Scanner *scanner, TSLexer *lexer, const bool *valid) {
  next(lexer);
  bool measures = scanner->head == SHOW || scanner->head == REQUIRE;
  if (lexer->lookahead == '=') return false;
  if (valid[FIRST_NAMED] && scanner->draws) return give(lexer, FIRST_NAMED);
  if (valid[NAMED] && (scanner->draws || measures)) return give(lexer, NAMED);
  return false;
}

static bool scan_semicolon(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  next(lexer);
  if (valid[BETWEEN] && (scanner->head == SHOW || scanner->head == REQUIRE)) return give(lexer, BETWEEN);
  scanner->head = SEMICOLON;
  return give(lexer, SEMICOLON);
}

static bool scan(Scanner *scanner, TSLexer *lexer, const bool *valid) {
  bool newline = scanner->joined != NEVER_SEEN && scanner->joined == (uint16_t)lexer->get_column(lexer);
  bool moved = false;
  uint16_t column = newline ? scanner->joined : 0;
  for (; is_space(lexer->lookahead); moved = true) {
    column = is_line_end(lexer->lookahead) ? 0 : column + 1;
    newline = newline || is_line_end(lexer->lookahead);
    lexer->advance(lexer, true);
  }
  if (lexer->eof(lexer)) return false;
  int32_t c = lexer->lookahead;
  if (c == '/') return scan_comment(scanner, lexer, newline);
  scanner->joined = NEVER_SEEN;
  if (begins_name(c)) return scan_word(scanner, lexer, valid, newline, column);
  if (is_digit(c)) return scan_number(lexer);
  if (c == '=') return scan_equals(scanner, lexer, valid);
  if (c == ';') return scan_semicolon(scanner, lexer, valid);
  if (c == '~') {
    next(lexer);
    scanner->draws = true;
    return give(lexer, TILDE);
  }
  if (c == '.') {  // a field stands close to what it is of
    next(lexer);
    lexer->mark_end(lexer);
    return lexer->lookahead != '.' && give(lexer, !moved && begins_name(lexer->lookahead) ? DOT : FAULT);
  }
  return false;
}

// --- what tree-sitter calls ---

void *tree_sitter_seep_external_scanner_create(void) {
  return calloc(1, sizeof(Scanner));  // nothing before the text, as behind a line end
}

void tree_sitter_seep_external_scanner_destroy(void *payload) { free(payload); }

unsigned tree_sitter_seep_external_scanner_serialize(void *payload, char *buffer) {
  memcpy(buffer, payload, sizeof(Scanner));
  return sizeof(Scanner);
}

void tree_sitter_seep_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  memset(payload, 0, sizeof(Scanner));
  if (length == sizeof(Scanner)) memcpy(payload, buffer, length);
}

bool tree_sitter_seep_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) { return scan(payload, lexer, valid); }

// The grammar of Seep for tree-sitter. Tokens that depend on more than their characters come from src/scanner.c; the rules follow
// those of analysis/seepage/syntax/grammar.lark, and the tests hold both to the same texts.

const listed = (rule) => seq(rule, repeat(seq(',', rule)));
const infix = (level, left, operator, right) => prec.left(level, seq(field('left', left), field('operator', operator), field('right', right)));
const trailing = (rule) => seq(listed(rule), optional(','));
// The arguments of a call, in groups: the first one, and those behind a comma.
const groups = ($, first, other) => {
  const rest = repeat(seq(',', other));
  return seq(
    first, rest, optional(','),
    repeat(seq(choice(alias($._between, ';'), '->', '||', '|'), $._argument, rest, optional(','))),
  );
};

module.exports = grammar({
  name: 'seep',

  // In the order of the enumeration in src/scanner.c. The scanner takes every word but those that stand inside of statements only and are
  // names nowhere, which it leaves to the lexer ('inf' and 'initial' are here, as the lexer would find 'in' in them). The fewer they are, the
  // smaller is the parser: states that differ in what the scanner may be asked for are not merged.
  externals: $ => [
    $.identifier, $.number,
    'param', 'const', 'secret', 'output', 'if', 'for', 'while', 'observe', 'skip', 'show', 'require', 'initial', 'inf',
    'def', 'enum', 'table', 'attacker', 'import', 'return', 'break', 'continue', 'repeat', 'until', 'never',
    'from', 'as', 'weight', 'given', 'max', 'min',
    '~', ';', '.',
    $._between, // the ';' between the sides of a measure
    $._first_named, // the '=' of the first argument of a call
    $._named, // that of another one
    $._measure, // the name of a measure whose arguments have no names
    $._unit_in, // the 'in' before a unit
    $.line_comment, $.documentation, $.block_comment,
    $._fault, // what stands in no rule
  ],

  extras: $ => [/[ \t\n\r\f\v]/, $.line_comment, $.documentation, $.block_comment],

  rules: {
    source_file: $ => repeat(choice($._declaration, $._statement, ';')),

    _declaration: $ => choice($.parameter, $.constant, $.secret, $.output, $.show, $.require, $.import),

    _statement: $ => choice(
      $.skip, $.break, $.continue, $.assignment, $.draw, $.observe, $.return, $.attacker,
      $.enumeration, $.table, $.procedure, $.if_statement, $.for_statement, $.while_statement, $.repeat_statement,
    ),

    block: $ => seq('{', repeat(choice($._declaration, $._statement, ';')), '}'),

    // Declarations

    parameter: $ => seq(
      'param', field('name', $.identifier), optional(seq('in', field('domain', $.interval))), optional(seq('=', field('value', $._expression))),
    ),
    constant: $ => seq('const', field('name', $.identifier), '=', field('value', $._expression)),
    secret: $ => seq('secret', optional(choice('initial', 'final')), $._targets),
    output: $ => seq('output', $._targets),
    show: $ => seq(
      'show', optional($._direction), field('measure', $._expression), optional(seq(alias($._unit_in, 'in'), field('unit', $.unit))),
    ),
    require: $ => seq(
      'require', optional($._direction), field('measure', $._number), field('operator', choice('<=', '<', '>=', '>', '==')),
      field('budget', $._number), optional(field('unit', $.unit)), optional(seq('over', listed($.range))),
    ),
    import: $ => seq('import', choice(
      seq(field('path', $.string), optional(seq('as', field('alias', $.identifier)))),
      seq(listed(field('name', $.identifier)), 'from', field('path', $.string)),
    )),

    _direction: $ => field('direction', choice('max', 'min')),
    unit: $ => choice('bits', 'nats'),
    range: $ => seq(field('name', $.identifier), 'in', field('domain', $.interval)),
    interval: $ => seq(choice('[', '('), field('low', $._expression), ',', field('high', $._expression), choice(']', ')')),

    // Statements

    skip: $ => 'skip',
    break: $ => 'break',
    continue: $ => 'continue',
    assignment: $ => seq($._targets, ':=', field('value', $._expression)),
    draw: $ => seq($._targets, '~', field('law', $._expression), optional(seq('given', field('condition', $._expression)))),
    observe: $ => seq('observe', field('condition', $._expression)),
    return: $ => seq('return', listed(field('value', $._expression))),
    attacker: $ => seq('attacker', $._targets, 'in', field('domain', $._domain)),
    enumeration: $ => seq('enum', field('name', $.identifier), '{', trailing(field('member', $.identifier)), '}'),
    table: $ => seq('table', field('name', $.identifier), 'from', field('path', $.string), optional(seq('weight', field('weight', $.identifier)))),
    procedure: $ => seq('def', field('name', $.identifier), field('parameters', $.parameters), field('body', $.block)),
    parameters: $ => seq('(', optional(listed($.identifier)), ')'),
    if_statement: $ => seq(
      'if', field('condition', $._expression), field('consequence', $.block), repeat($.else_if_clause), optional($.else_clause),
    ),
    else_if_clause: $ => seq('else', 'if', field('condition', $._expression), field('consequence', $.block)),
    else_clause: $ => seq('else', field('body', $.block)),
    for_statement: $ => seq(
      'for', field('name', $.identifier), 'in', field('low', $._expression), '..', field('high', $._expression), field('body', $.block),
    ),
    while_statement: $ => seq('while', field('condition', $._expression), field('body', $.block), optional($.never_clause)),
    repeat_statement: $ => seq(
      'repeat', field('body', $.block), 'until', field('condition', $._expression), optional($.never_clause),
    ),
    never_clause: $ => seq('never', field('body', $.block)),

    // Places

    _targets: $ => listed(field('target', $._place)),
    _place: $ => choice($.identifier, $.index, $.field),
    index: $ => seq(field('base', $._place), '[', listed(field('subscript', $._domain)), ']'),
    field: $ => seq(field('base', $._place), '.', field('name', $.identifier)),
    _domain: $ => choice($._expression, $.run),
    run: $ => seq(field('low', $._expression), '..', field('high', $._expression)),

    // Expressions, from the loosest to the tightest

    _expression: $ => choice($._condition, $.conditional),
    conditional: $ => seq(
      'if', field('condition', $._expression), 'then', field('consequence', $._expression), 'else', field('alternative', $._expression),
    ),
    _condition: $ => choice($._comparison, alias($._joined, $.binary), alias($._not, $.unary)),
    _joined: $ => choice(...['or', 'xor', 'and'].map((operator, level) => infix(level + 1, $._condition, operator, $._condition))),
    _not: $ => prec(4, seq(field('operator', 'not'), field('operand', $._condition))),
    // Comparisons do not chain.
    _comparison: $ => choice($._number, alias($._compared, $.binary), $.member),
    _compared: $ => infix(5, choice($._number, $.member), choice('==', '!=', '<', '<=', '>', '>='), $._number),
    member: $ => infix(5, $._comparison, 'in', $.set),
    set: $ => seq('{', optional(trailing($._member)), '}'),
    _number: $ => choice($._atom, alias($._calculated, $.binary), alias($._signed, $.unary)),
    _calculated: $ => choice(
      infix(6, $._number, choice('+', '-'), $._number),
      infix(7, $._number, choice('*', '/', '%'), $._number),
      prec.right(9, seq(field('left', $._atom), field('operator', '^'), field('right', $._number))),
    ),
    _signed: $ => prec(8, seq(field('operator', choice('-', '!')), field('operand', $._number))),

    _atom: $ => choice(
      $.number, $.boolean, $.infinity, $.string, $._place, $.call, $.array, $.comprehension, $.parenthesized, $.tuple,
      alias($._table, $.law),
    ),
    string: $ => /"[^"\n\r]*"/,
    boolean: $ => choice('true', 'false'),
    infinity: $ => 'inf',
    call: $ => choice(
      seq(field('function', $._place), field('arguments', $.arguments)),
      seq(field('function', alias($._measure, $.identifier)), field('arguments', alias($._measured, $.arguments))),
    ),
    arguments: $ => seq('(', optional(groups($, choice($._argument, alias($._first_argument, $.named_argument)), choice($._argument, $.named_argument))), ')'),
    _measured: $ => seq('(', optional(groups($, $._argument, $._argument)), ')'),
    _argument: $ => choice($._expression, $.weighted_argument, $.generator),
    _first_argument: $ => seq(field('name', $.identifier), alias($._first_named, '='), field('value', $._expression)),
    named_argument: $ => seq(field('name', $.identifier), alias($._named, '='), field('value', $._expression)),
    weighted_argument: $ => seq(field('weight', $._expression), ':', field('value', $._expression)),
    generator: $ => seq(field('body', $._expression), repeat1($.clause)),
    clause: $ => seq(
      'for', field('name', $.identifier), 'in', field('domain', $._domain), optional(seq('if', field('condition', $._expression))),
    ),
    array: $ => seq('[', optional(trailing($._expression)), ']'),
    comprehension: $ => seq('[', field('body', $._expression), repeat1($.clause), ']'),
    parenthesized: $ => seq('(', $._expression, ')'),
    tuple: $ => seq('(', $._expression, repeat1(seq(',', $._expression)), ')'),
    _table: $ => seq('{', optional(trailing($._member)), '}'),
    _member: $ => choice($._expression, $.entry, $.run),
    entry: $ => seq(field('key', $._expression), ':', field('value', $._expression)),
  },
});

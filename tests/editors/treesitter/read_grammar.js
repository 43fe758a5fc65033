// Prints what grammar.js says, as JSON: the functions that the generator gives to it, in short. node read_grammar.js PATH
const node = (rule) =>
  typeof rule === 'string' ? { type: 'STRING', value: rule } : rule instanceof RegExp ? { type: 'PATTERN', value: rule.source } : rule;
const many = (type) => (...rules) => ({ type, members: rules.map(node) });
const one = (type) => (rule) => ({ type, content: node(rule) });
const levelled = (type) => (value, rule) => ({ type, value, content: node(rule) });

const blank = { type: 'BLANK' };
const symbols = new Proxy({}, { get: (_, name) => ({ type: 'SYMBOL', name }) });
Object.assign(globalThis, {
  seq: many('SEQ'),
  choice: many('CHOICE'),
  repeat: one('REPEAT'),
  repeat1: one('REPEAT1'),
  optional: (rule) => ({ type: 'CHOICE', members: [node(rule), blank] }),
  field: (name, rule) => ({ type: 'FIELD', name, content: node(rule) }),
  alias: (rule, target) => ({ type: 'ALIAS', content: node(rule), named: node(target).type === 'SYMBOL', value: node(target).name ?? target }),
  prec: Object.assign(levelled('PREC'), { left: levelled('PREC_LEFT'), right: levelled('PREC_RIGHT') }),
  grammar: ({ name, rules, extras, externals, conflicts = () => [] }) => ({
    name,
    rules: Object.fromEntries(Object.entries(rules).map(([rule, made]) => [rule, node(made(symbols))])),
    extras: extras(symbols).map(node),
    externals: externals(symbols).map(node),
    conflicts: conflicts(symbols).map((rules) => rules.map((rule) => rule.name)),
  }),
});
console.log(JSON.stringify(require(process.argv[2])));

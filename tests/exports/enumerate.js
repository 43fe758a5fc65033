// The joint law of a WebPPL program that draws finitely often: every run of its model, by the choices that it makes. Only what JavaScript has is evaluated.
const fs = require('fs'), vm = require('vm');
let trace = [], at = 0, weight = 1;
class Left extends Error {}
const choose = (chances) => {
  const total = chances.reduce((a, b) => a + b, 0);
  if (at === trace.length) trace.push(chances.findIndex((p) => p > 0));
  const index = trace[at++];
  weight *= chances[index] / total;
  if (weight < 1e-15) throw new Left('too rare');  // a loop that goes on
  options[at - 1] = chances;
  return index;
};
const options = [];
const scope = {
  Math,
  flip: (p) => choose([1 - p, p]) === 1,
  randomInteger: (n) => choose(Array(n).fill(1)),
  categorical: ({ps, vs}) => vs[choose(ps)],
  binomial: ({p, n}) => Array.from({length: n}, () => choose([1 - p, p])).reduce((a, b) => a + b, 0),
  condition: (b) => { if (!b) throw new Left('rejected'); },
  Infer: ({model}) => {
    const law = {};
    for (;;) {
      at = 0; weight = 1;
      try {
        const value = JSON.stringify(model());
        law[value] = (law[value] || 0) + weight;
      } catch (error) { if (!(error instanceof Left)) throw error; }
      trace.length = options.length = at;
      for (;;) {  // on to the next choice
        if (!trace.length) return law;
        const last = trace.length - 1;
        let next = trace[last] + 1;
        while (options[last] && next < options[last].length && !(options[last][next] > 0)) next++;
        if (options[last] && next < options[last].length) { trace[last] = next; break; }
        trace.pop(); options.pop();
      }
    }
  },
};
const law = vm.runInNewContext(fs.readFileSync(0, 'utf8'), scope, {timeout: 60000});
const whole = Object.values(law).reduce((a, b) => a + b, 0);
for (const value of Object.keys(law)) law[value] /= whole;
console.log(JSON.stringify(law));

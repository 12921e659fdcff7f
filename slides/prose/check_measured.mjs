// Whether figures of speed in handouts and decks are those that were measured: node check_measured.mjs LADDER.json FILE...
//
// "3,499 GB/s", a row of a table whose header names GB/s or GFLOP/s, and a row of a table whose header is "share" must
// stand in the ladders' results, rounded either way. Lines of theory name no GPU and no measured unit: they write the units of a
// bound, as "at most, GFLOP/s", or a number below 1,000. Exits 1 where a figure is not known.
import { readFileSync } from 'node:fs';

const [ladder, ...files] = process.argv.slice(2);
const rates = { 'GB/s': new Set(), 'GFLOP/s': new Set() }, shares = new Set();
for (const { sizes } of JSON.parse(readFileSync(ladder, 'utf8')).ladders) {
  for (const { unit, results } of sizes) {
    for (const { rate, share } of results) {
      rates[unit].add(Math.floor(rate)).add(Math.ceil(rate));
      shares.add((share * 100).toFixed(1));
    }
  }
}

let count = 0;
const wrong = (file, line, what) => {
  process.stdout.write(`${file}:${line}: ${what} was not measured; ${ladder} has what was\n`);
  count += 1;
};
for (const file of files.filter((name) => name.endsWith('.md'))) {
  let unit = null, share = false;
  readFileSync(file, 'utf8').split('\n').forEach((line, index) => {
    if (!line.startsWith('|')) {
      unit = null;
      share = false;
    } else if (/^\|[^-]*\|$/.test(line) && unit === null && !share) {
      unit = /at most/.test(line) ? null : (/GB\/s|GFLOP\/s/.exec(line)?.[0] ?? null);
      share = /\| share \|/.test(line);
    } else if (unit !== null && /\d/.test(line)) {
      const cell = line.split('|').at(-2).replace(/[*,\s]/g, '');
      if (/^\d+$/.test(cell) && !rates[unit].has(Number(cell))) wrong(file, index + 1, `${cell} ${unit}`);
    } else if (share && /\d/.test(line)) {
      const cell = line.split('|').at(-2).replace(/[%\s]/g, '');
      if (!shares.has(cell)) wrong(file, index + 1, `${cell} %`);
    }
    const text = line.replace(/\*/g, '');
    for (const [, list, of] of text.matchAll(/((?:\d{1,3}(?:,\d{3})+(?: and )?)+) (GB\/s|GFLOP\/s)/g)) {
      for (const number of list.split(' and ')) {
        if (!rates[of].has(Number(number.replace(/,/g, '')))) wrong(file, index + 1, `${number} ${of}`);
      }
    }
  });
}
process.exit(count === 0 ? 0 : 1);

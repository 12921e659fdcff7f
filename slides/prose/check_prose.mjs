// Whether what students read is plain English: node check_prose.mjs TOOLS FILE... [--messages FILE...]
//
// After --messages come sources of which the literals are read, not the comments.
//
// Words come from write-good (clichés, words that are repeated) and from the course's own list below; and no sentence
// is longer than people read in a second language without going back. Code, tables of figures, comments and folded
// parts are read for words as well, but for code itself. Exits 1 where something was found, 77 without write-good.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { messages } from './messages.mjs';

const MOST_WORDS = 32;

// What is not plain, and what to write instead.
const TERMS = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\brubbish\b/i, 'old values'],
  [/\bwho(so)?ever\b/i, 'name the person'],
  [/\bhad better\b/i, 'should'],
  [/\bhardly ever\b/i, 'rarely'],
  [/\bdecent\b/i, 'correct'],
  [/\b(by|no|bad|good) luck\b/i, 'chance'],
  [/\blooks? at the clock\b/i, 'read the clock'],
  [/\bstick(s|ing)? out\b/i, 'lie outside'],
  [/\bsits? out\b/i, 'skip'],
  [/\bfor ever\b/i, 'forever'],
  [/\bin vain\b/i, 'without effect'],
  [/\byardstick\b/i, 'baseline'],
  [/\bragged\b/i, 'partial'],
  [/\bturns? (grey|out)\b/i, 'become, or be'],
  [/\bgo(es|ing)? shopping\b/i, 'no idiom'],
  [/\bkeeps? the memory busy\b/i, 'uses the bandwidth of the memory'],
  [/\bis luck\b/i, 'is undefined'],
  [/\bnext door\b/i, 'neighbouring'],
  [/\bbehind the (if|launch|kernel|load)\b/i, 'after'],
  [/\barm(s)? of (a|the) branch\b/i, 'side of the branch'],
  [/\buninitialized (read|value|memory)\b/i, 'uninitialised'],
  [/\ball (is|was|were) well\b/i, 'everything is correct'],
  [/\bwants? (bytes|to know)\b/i, 'needs'],
  [/\bnot your fault\b/i, 'the cause is not in your code'],
  [/\bdrift(s|ed|ing)? apart\b/i, 'are no longer at the same instruction'],
  [/\bkeeps? step\b/i, 'are at the same instruction'],
  [/\bcome to one element\b/i, 'use the same element'],
  [/\bit wants the\b/i, 'it needs the'],
  [/\bbehind the (point|end)\b/i, 'after'],
  [/\b(for|from|to) who\b/i, 'name the person'],
];

const [tools, ...named] = process.argv.slice(2);
const files = named.filter((name) => name !== '--messages');
const of_messages = new Set(named.includes('--messages') ? named.slice(named.indexOf('--messages') + 1) : []);
let writeGood;
try {
  writeGood = createRequire(path.resolve(tools, 'package.json'))('write-good');
} catch {
  process.stderr.write('no prose can be checked here: the packages of slides/package.json are missing\n');
  process.exit(77);
}

/// A line without what is no prose. `code` stands for code, so that a sentence keeps its words.
function plain(line) {
  let number = 0;
  return line
    .replace(/`[^`]*`/g, () => `code${++number}`)
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1.')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\/\/\S+/g, 'address')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[*_]/g, '');
}

/// Paragraphs of Markdown, the texts of a lab.toml, the messages in the grader's code, or the comments of other code:
/// [first line, text].
function paragraphs(file, text) {
  const found = [];
  if (of_messages.has(file)) {
    for (const [at, message] of messages(text)) found.push([at, plain(message).replace(/[;\n] ?/g, '. ')]);
    return found;
  }
  let code = false, comment = false, front = false, current = null;
  const end = () => { current = null; };
  const add = (at, line, alone) => {
    if (alone || current === null) {
      current = [at, line];
      found.push(current);
    } else {
      current[1] += ' ' + line;
    }
    if (alone) current = null;
  };
  text.split('\n').forEach((line, index) => {
    const at = index + 1;
    if (file.endsWith('.toml')) {
      const value = /^(?:title|help) = "(.*)"/.exec(line);
      if (value) add(at, plain(value[1].replace(/\\"/g, '"')).replace(/; /g, '. '), true);
      return;
    }
    if (/\.(cu|h|cpp)$/.test(file)) {
      const note = /^(.*?)(?:^|\s)\/\/\/?(\s+)(.*)$/.exec(line);
      const behind = note !== null && note[1].trim() !== '';
      if (note === null || behind || note[2].length > 1 || note[3].startsWith('TODO')) end();
      if (note !== null) add(at, plain(note[3]), behind);
      return;
    }
    if (at === 1 && line === '---') { front = true; return; }
    if (front) { if (line === '---') front = false; return; }
    if (line.startsWith('```')) { code = !code; end(); return; }
    if (line.includes('<!--')) comment = true;
    if (comment) { if (line.includes('-->')) comment = false; end(); return; }
    if (code || /^ {4}\S/.test(line) || line.trim() === '' || line === '---') { end(); return; }
    if (line.startsWith('|')) {
      for (const cell of line.split(/(?<!\\)\|/)) if (/[a-z]{3}/.test(cell)) add(at, plain(cell.trim()), true);
    } else if (/^#/.test(line)) {
      add(at, plain(line.replace(/^#+ /, '')), true);
    } else if (/^\s*([-*]|\d+\.|>)\s/.test(line)) {
      end();
      add(at, plain(line.replace(/^\s*([-*]|\d+\.|>)\s/, '')), false);
    } else {
      add(at, plain(line.trim()), false);
    }
  });
  return found;
}

function* faults(text) {
  for (const [pattern, better] of TERMS) {
    const match = pattern.exec(text);
    if (match) yield `"${match[0]}" is not plain: ${better}`;
  }
  const checks = { illusion: true, cliches: true, weasel: false, so: false, thereIs: false, passive: false, adverb: false,
    tooWordy: false };
  for (const { reason } of writeGood(text, checks)) yield reason;
  for (const sentence of text.split(/(?<=[.?!:;])["')]*\s+/)) {
    const words = sentence.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;
    if (words > MOST_WORDS) yield `${words} words in a sentence, at most ${MOST_WORDS}: "${sentence.slice(0, 50)}..."`;
  }
}

let count = 0;
for (const file of files) {
  for (const [line, text] of paragraphs(file, readFileSync(file, 'utf8'))) {
    for (const fault of faults(text)) {
      process.stdout.write(`${file}:${line}: ${fault}\n`);
      count += 1;
    }
  }
}
process.exit(count === 0 ? 0 : 1);

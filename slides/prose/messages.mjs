// The texts in C++ sources that people may come to read: literals with more than one word.

/// [line, text] of each, pieces that the compiler joins being one. `{}` of a format stands for one word.
export function* messages(source) {
  let at = 1;
  let text = null, begin = 0;
  // Comments, literals of one character, raw literals, includes; literals; everything else that is no space.
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|#include[^\n]*|'(?:[^'\\\n]|\\.)+'|R"(\w*)\([\s\S]*?\)\1"|"((?:[^"\\\n]|\\.)*)"|\n|[^\s]/g;
  for (const match of source.matchAll(token)) {
    const whole = match[0];
    if (match[2] !== undefined) {
      if (text === null) begin = at;
      text = (text ?? '') + match[2];
    } else if (whole !== '\n' && !whole.startsWith('/')) {
      if (text !== null) yield [begin, readable(text)];
      text = null;
    }
    at += whole.split('\n').length - 1;
  }
  if (text !== null) yield [begin, readable(text)];
}

/// Empty where it is no sentence: a name, also of a type, an option, a piece of another format.
function readable(text) {
  let values = 0;
  const plain = text.replace(/\\n/g, '\n').replace(/\\"/g, '"').replace(/\\./g, ' ').replace(/\{[^{}]*\}/g, () => `value${++values}`);
  return /^\s*[<#]|[a-z]+=\S|^(un)?signed( long)*( int)?$/.test(plain) || !/[a-z]+ [a-z]+ [a-z]+/i.test(plain) ? '' : plain;
}

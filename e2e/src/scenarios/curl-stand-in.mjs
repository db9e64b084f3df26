import { readFileSync } from 'node:fs';

// Does what the page asks of curl (-X, -H, --data-binary @file, an address) on a machine that has none.
const request = { method: undefined, headers: {}, body: undefined };
let address;
const words = process.argv.slice(2);
while (words.length > 0) {
  const word = words.shift();
  if (word === '-X') request.method = words.shift();
  else if (word === '--data-binary') request.body = readFileSync(words.shift().replace(/^@/, ''));
  else if (word === '-H') {
    const [name, ...value] = words.shift().split(': ');
    request.headers[name] = value.join(': ');
  } else if (word.startsWith('-')) throw new Error(`this stand-in does not know ${word}`);
  else address = word;
}
const answer = await fetch(address, { ...request, method: request.method ?? (request.body ? 'POST' : 'GET') });
process.stdout.write(await answer.text());

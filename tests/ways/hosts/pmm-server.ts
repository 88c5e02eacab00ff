/** A program: a server of PMM 2 at port 443, with the replies, the certificate and its key in the working folder. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const replies = JSON.parse(readFileSync('replies.json', 'utf8'));
const authorization = `Basic ${btoa(`admin:${readFileSync('password', 'utf8')}`)}`;

createServer({ cert: readFileSync('cert.pem'), key: readFileSync('key.pem') }, ({ method, url, headers }, response) => {
  response.setHeader('Content-Type', 'application/json');
  const reply = replies[`${method} ${url}`];
  if (headers.authorization !== authorization)
    response.writeHead(401).end('{"code":16,"error":"Unauthorized","message":"Unauthorized"}');
  else if (reply === undefined) response.writeHead(404).end('{"code":5,"error":"Not Found","message":"Not Found"}');
  else response.end(JSON.stringify(reply));
}).listen(443, () => process.stdout.write('PMM listens\n'));

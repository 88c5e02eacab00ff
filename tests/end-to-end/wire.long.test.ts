import { connect as connectTcp } from 'node:net';
import { Agent, request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type ConnectionOptions } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES } from '../../shared/http/http-contract.ts';
import { MAX_NESTING } from '../../shared/http/json-body.ts';
import { inFull, testInFull } from '../../shared/testing/extent.ts';
import { newDataDir, removeDataDir } from '../support/data-dir.ts';
import { type RunningServer, startServer } from '../support/server.ts';
import { bearer, bodyOf, type Client, clientOf, everything, listAll, makeKeys, PASSWORD } from './client.ts';
import { MAX_REPEATS } from '../support/busy.ts';
import { openConnection, type RawReply, rawRequest, replyOn, sendRaw } from './raw-request.ts';

let server: RunningServer;
let admin: Client;
let editor: Client;
/** The Authorization line of an Editor, for requests that are written by hand. */
let authorization: string;

beforeAll(async () => {
  server = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
  const { keys } = await makeKeys(server);
  admin = clientOf(server, bearer(keys.Admin));
  editor = clientOf(server, bearer(keys.Editor));
  authorization = `Authorization: ${bearer(keys.Editor)}`;
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

let names = 0;
const newName = () => `node-${(names += 1)}`;
const generic = (more: Record<string, unknown> = {}) => ({
  node_type: 'generic',
  node_name: newName(),
  address: 'h',
  ...more,
});

/** An error as every client must get it, from a handler, the gateway or the server itself. */
function expectError(reply: { status: number; text: string }, http: number, code: number): any {
  expect([reply.status, reply.text.slice(0, 1)]).toEqual([http, '{']);
  const body = JSON.parse(reply.text);
  expect(Object.keys(body)).toEqual(['code', 'status', 'error', 'message', 'details', 'request_id']);
  expect(body).toMatchObject({ code, error: body.message, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  return body;
}

function expectRawError(reply: RawReply, http: number, code: number): any {
  expect(reply.values('content-type')).toEqual(['application/json']);
  expect(reply.values('cache-control')).toEqual(['no-store']);
  return expectError(reply, http, code);
}

/** Runs `attempt`, and proves that the inventory is as it was before. */
async function writesNothing(attempt: () => Promise<unknown>): Promise<void> {
  const before = await everything(editor);
  await attempt();
  expect(await everything(editor)).toEqual(before);
}

const alive = async () => bodyOf(await clientOf(server)('GET', '/v1/readyz'), 200);

describe('size limits', () => {
  /** A valid body of exactly this size in bytes. */
  const sized = (bytes: number, name = newName()) => {
    const text = JSON.stringify(generic({ node_name: name }));
    return text + ' '.repeat(bytes - Buffer.byteLength(text));
  };

  test('a body of 256 KiB is accepted, and one byte more is a 413', async () => {
    bodyOf(await editor('POST', '/v1/nodes', { body: sized(MAX_BODY_BYTES) }), 201);
    await writesNothing(async () => {
      const reply = await editor('POST', '/v1/nodes', { body: sized(MAX_BODY_BYTES + 1) });
      expect(expectError(reply, 413, 8).message).toContain(String(MAX_BODY_BYTES));
    });
  });

  test('bytes count, not characters, and also without a Content-Length', async () => {
    await writesNothing(async () => {
      const wide = JSON.stringify(generic({ address: 'é'.repeat(MAX_BODY_BYTES / 2) }));
      expectError(await editor('POST', '/v1/nodes', { body: wide }), 413, 8);
      const body = sized(MAX_BODY_BYTES + 1);
      const chunked = await editor('POST', '/v1/nodes', { body, headers: { 'Transfer-Encoding': 'chunked' } });
      expectError(chunked, 413, 8);
    });
  });

  test('a body that is too large by its Content-Length is a 413 before it is sent', async () => {
    const head = `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: ${MAX_BODY_BYTES + 1}\r\n`;
    for (const expectation of ['', 'Expect: 100-continue\r\n']) {
      const socket = await openConnection(server.port);
      socket.write(`${head}${expectation}\r\n`);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    }
  });

  test('a body above 10 MB is a 413, and the connection stays', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
    const call = async (path: string, body?: Buffer) => {
      const headers = {
        authorization: authorization.slice('Authorization: '.length),
        'content-type': 'application/json',
      };
      const options = { agent, headers, method: body === undefined ? 'GET' : 'POST' };
      const request = httpsRequest(new URL(path, server.base), options);
      request.end(body);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      // Known only as long as the answer is read.
      const from = response.socket.localPort;
      const text = (await response.toArray()).join('');
      return { status: response.statusCode ?? 0, text, from };
    };
    await writesNothing(async () => {
      const before = await call('/v1/version');
      expectError(await call('/v1/nodes', Buffer.alloc(10 * 1024 * 1024 + 1, 'x')), 413, 8);
      const after = await call('/v1/version');
      expect(after).toMatchObject({ status: 200, from: before.from });
    });
    agent.destroy();
  });

  test('headers, or a path, above 10 KB are a 413', async () => {
    const padding = (bytes: number) => `X-Padding: ${'x'.repeat(bytes)}`;
    expect(await rawRequest(server.port, 'GET /v1/version', [authorization, padding(9_000)])).toMatchObject({
      status: 200,
    });
    expectRawError(await rawRequest(server.port, 'GET /v1/version', [authorization, padding(10_240)]), 413, 8);
    const many = Array.from({ length: 1000 }, (_, index) => `X-${index}: 12345678`);
    expectRawError(await rawRequest(server.port, 'GET /v1/version', [authorization, ...many]), 413, 8);
    const said = expectRawError(await rawRequest(server.port, `GET /v1/nodes/${'x'.repeat(10_240)}`), 413, 8);
    // There is no body that could be too large.
    expect(said.message).toBe('The request is too large.');
  });
});

describe('input that is not HTTP', () => {
  const requests: Record<string, string> = {
    'a line of anything': 'HELO inventory\r\n\r\n',
    'another version': 'GET /v1/version HTTP/9.9\r\nHost: x\r\n\r\n',
    'a method that there is not': 'FETCH /v1/version HTTP/1.1\r\nHost: x\r\n\r\n',
    'a space in the path': 'GET /v1/ver sion HTTP/1.1\r\nHost: x\r\n\r\n',
    'a space before the colon of a header': 'GET /v1/version HTTP/1.1\r\nHost : x\r\n\r\n',
    'a NUL in a header': 'GET /v1/version HTTP/1.1\r\nHost: x\r\nX-Note: a\0b\r\n\r\n',
    'a carriage return in a header': 'GET /v1/version HTTP/1.1\r\nHost: x\r\nX-Note: a\rb\r\n\r\n',
    'a length that is no number': 'POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n',
    'two lengths': 'POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    'a length and chunks':
      'POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'no Host': 'GET /v1/readyz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'two hosts': 'GET /v1/readyz HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n',
    'two hosts that are the same, for the site': 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n',
    'HTTP/2.0 as a text': 'GET /v1/readyz HTTP/2.0\r\nHost: x\r\nConnection: close\r\n\r\n',
    'an expectation that nobody meets':
      'GET /v1/readyz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
  };

  test.each(Object.entries(requests))('%s: 400 in our form, and the connection ends', async (_name, text) => {
    expectRawError(await sendRaw(server.port, text), 400, 3);
    await alive();
  });

  test('invalid chunks: 400, and the connection ends', async () => {
    for (const chunks of ['xyz\r\n', '2\r\n{}\r\nxyz\r\n', '5\r\n{}\r\n0\r\n\r\n'])
      expectRawError(
        await sendRaw(
          server.port,
          `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`,
        ),
        400,
        3,
      );
    await alive();
  });

  test('is not smuggled behind a valid request', async () => {
    await writesNothing(async () => {
      const inner = `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\n`;
      const body = JSON.stringify(generic());
      const smuggled = `${inner}Content-Length: ${body.length}\r\n\r\n${body}`;
      const outer = `POST /v1/nodes HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      expectRawError(await sendRaw(server.port, `${outer}0\r\n\r\n${smuggled}`), 400, 3);
    });
  });

  test('without TLS ends the connection at once without another effect', async () => {
    for (const bytes of ['GET /v1/readyz HTTP/1.1\r\nHost: x\r\n\r\n', '\x16\x03\x01\xff\xff\xff', '\0'.repeat(1000)]) {
      const socket = connectTcp({ host: '127.0.0.1', port: server.port });
      socket.on('error', () => undefined).resume();
      const ended = once(socket, 'close');
      socket.write(bytes, 'latin1');
      if (bytes.startsWith('\x16')) socket.end();
      expect(await Promise.race([ended.then(() => 'ended'), delay(8000, 'open', { ref: false })])).toBe('ended');
    }
    await alive();
    expect(server.errors()).toEqual([]);
  });
});

describe('a body', () => {
  const post = (body: string, contentType?: string) =>
    rawRequest(
      server.port,
      'POST /v1/nodes',
      [authorization, ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`])],
      body,
    );

  test('of a type other than JSON, or without one, is a 415', async () => {
    await writesNothing(async () => {
      for (const type of [
        undefined,
        'text/plain',
        'text/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonx',
        'application/xml',
        'application/vnd.inventory+json',
        'application/merge-patch+json',
        'application/json; charset=iso-8859-1',
        'application/json; charset=utf-16',
        '',
      ])
        expectRawError(await post(JSON.stringify(generic()), type), 415, 3);
    });
  });

  test('that is compressed is a 415, because it would be misread', async () => {
    await writesNothing(async () => {
      const body = gzipSync(JSON.stringify(generic()));
      for (const encoding of ['gzip', 'br', 'gzip, gzip'])
        expectError(await editor('POST', '/v1/nodes', { body, headers: { 'Content-Encoding': encoding } }), 415, 3);
    });
  });

  test('with any type name of JSON is accepted', async () => {
    for (const type of [
      'application/json',
      'Application/JSON',
      'application/json; charset=utf-8',
      'application/json ; charset=UTF-8',
    ])
      expect(await post(JSON.stringify(generic()), type)).toMatchObject({ status: 201 });
    const node = bodyOf(await editor('POST', '/v1/nodes', { body: generic() }), 201);
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const patched = await editor('PATCH', `/v1/nodes/${node.node_id}`, { body: { address: 'g' }, headers });
    expect(bodyOf(patched, 200).address).toBe('g');
  });

  test('that is not JSON is a 400 with that reason', async () => {
    const bodies = [
      '',
      ' ',
      '{',
      '{"node_type":"generic",}',
      "{'node_type':'generic'}",
      '{}{}',
      'NaN',
      '{"a":01}',
      '\ufeff\ufeff{}',
      '{"a":"\t"}',
      '{"a":"\\x"}',
      '"',
    ];
    await writesNothing(async () => {
      for (const body of bodies) {
        const { details } = expectRawError(await post(body, 'application/json'), 400, 3);
        expect([body, details]).toEqual([
          body,
          [{ field: '', reason: expect.stringMatching(/malformed_json|required/), message: expect.any(String) }],
        ]);
      }
    });
  });

  test('that is JSON but no object is a 400', async () => {
    await writesNothing(async () => {
      for (const body of ['null', 'true', '1', '"x"', '[]', '[{}]'])
        expectRawError(await post(body, 'application/json'), 400, 3);
    });
  });

  test('that is not UTF-8 is a 400, instead of being stored differently', async () => {
    await writesNothing(async () => {
      const text = Buffer.from(JSON.stringify(generic({ node_name: 'caf?' })));
      text[text.indexOf('?')] = 0xe9;
      expectError(await editor('POST', '/v1/nodes', { body: text }), 400, 3);
    });
  });

  test(`nested more than ${MAX_NESTING} deep is a 400, at any depth`, async () => {
    const nested = (levels: number, open: string, close: string) => open.repeat(levels) + '1' + close.repeat(levels);
    await writesNothing(async () => {
      for (const [open, close] of [
        ['{"a":', '}'],
        ['[', ']'],
      ] as const) {
        const reasonOf = async (levels: number) => {
          const reply = await post(nested(levels, open, close), 'application/json');
          return expectRawError(reply, 400, 3).details[0].reason;
        };
        expect(await reasonOf(MAX_NESTING)).not.toBe('too_deep');
        expect(await reasonOf(MAX_NESTING + 1)).toBe('too_deep');
        expect(await reasonOf(20_000)).toBe('too_deep');
      }
      expectRawError(await post(nested(100_000, '[', ']'), 'application/json'), 400, 3);
    });
    await alive();
  });

  test('with __proto__, or a prototype in a constructor, is a 400 at every depth', async () => {
    await writesNothing(async () => {
      for (const text of [
        '{"__proto__":{"disabled":true},"node_type":"generic","node_name":"p","address":"h"}',
        '{"node_type":"generic","node_name":"p","address":"h","custom_labels":{"__proto__":"x"}}',
        '{"node_type":"generic","node_name":"p","address":"h","constructor":{"prototype":{"x":1}}}',
        '{"node_type":"generic","node_name":"p","address":"h","prototype":{}}',
        '{"node_type":"generic","node_name":"p","address":"h","custom_labels":{"constructor":{"prototype":{"x":1}}}}',
      ])
        expectRawError(await post(text, 'application/json'), 400, 3);
      for (const name of ['__proto__', 'constructor', 'prototype', 'toString'])
        expectError(await editor('GET', `/v1/nodes?${name}=x`), 400, 3);
    });
  });

  test("may have labels with the names of Object's members", async () => {
    const labels = Object.fromEntries(
      [...Object.getOwnPropertyNames(Object.prototype), 'prototype', 'length', 'then', 'toJSON', 'name', 'size']
        .filter((name) => !name.startsWith('__'))
        .map((name) => [name, `label ${name}`]),
    );
    expect(Object.keys(labels)).toContain('constructor');
    const { node_id: id } = bodyOf(
      await editor('POST', '/v1/nodes', { body: generic({ custom_labels: labels }) }),
      201,
    );
    expect(bodyOf(await editor('GET', `/v1/nodes/${id}`), 200).custom_labels).toEqual(labels);
    const { constructor: _, ...rest } = labels;
    const changed = await editor('PATCH', `/v1/nodes/${id}`, { body: '{"custom_labels":{"constructor":null}}' });
    expect(bodyOf(changed, 200).custom_labels).toEqual(rest);
  });

  test('with an invalid port is a 400 that names it', async () => {
    await writesNothing(async () => {
      for (const port of ['1e999', '-1', '0', '1.5', '65536', '9007199254740993', '"3306"', 'true', '[]', '{}', '-0']) {
        const text = `{"service_type":"mysql","service_name":"n","address":"h","port":${port}}`;
        const { details } = expectError(await editor('POST', '/v1/services', { body: text }), 400, 3);
        expect([port, new Set(details.map(({ field }: any) => field))]).toEqual([port, new Set(['port'])]);
      }
    });
  });
});

describe('text', () => {
  const bad: Record<string, string> = {
    'a lone high surrogate': 'a\ud800b',
    'a lone low surrogate': 'a\udc00',
    'surrogates in the wrong order': '\udc00\ud800',
    NUL: 'a\0b',
    'a line break': 'a\nb',
    'an escape sequence of a terminal': '\u001b[31mred',
    DEL: 'a\u007f',
    'a control character of Latin-1': 'a\u0085',
    'a line separator': 'a\u2028b',
    'text that turns the other way': 'a\u202eb',
    'an isolate': '\u2066a',
    'a zero-width space': 'a\u200bb',
    'a byte order mark': '\ufeffa',
  };

  test.each(Object.entries(bad))('with %s is a 400 anywhere', async (name, text) => {
    // One rule refuses each of them in every field: the short form tries each in one field.
    const place = Object.keys(bad).indexOf(name);
    await writesNothing(async () => {
      const bodies: [field: string, body: Record<string, unknown>][] = [
        ['node_name', generic({ node_name: text })],
        ['address', generic({ address: text })],
        ['region', generic({ region: text })],
        ['custom_labels.x', generic({ custom_labels: { x: text } })],
        [`custom_labels.${text.slice(0, 80)}`, generic({ custom_labels: { [text]: 'x' } })],
      ];
      for (const [field, body] of inFull(bodies, [bodies[place % bodies.length]!])) {
        const { details } = expectError(await editor('POST', '/v1/nodes', { body }), 400, 3);
        // A lone surrogate cannot be said in JSON but as an escape, which the client reads as the same.
        expect(details).toEqual([expect.objectContaining({ field })]);
      }
      expectError(await admin('POST', '/v1/api-keys', { body: { name: text, role: 'Viewer' } }), 400, 3);
      if (text.isWellFormed())
        for (const query of ['name_prefix', 'region'])
          expectError(await editor('GET', `/v1/nodes?${query}=${encodeURIComponent(text)}`), 400, 3);
    });
  });

  test('of any language, also resembling code, is stored unchanged', async () => {
    const texts = [
      'Zürich',
      'データベース',
      'می‌خواهم',
      '👩‍💻 e\u0301 \u00e9',
      ' spaces around ',
      ':v',
      '#n',
      'NODE#x',
      'attribute_exists(pk)',
      "'; DROP TABLE nodes; --",
      '<img src=x onerror=alert(1)>',
      '$context.authorizer.message {{x}} ${x}',
      '../../etc/passwd',
      '100%_\\',
      '"quoted"',
    ];
    for (const [index, text] of texts.entries()) {
      // A name is in NFC, and has no spaces around it and nothing invisible but in an emoji.
      const name = text.trim().replaceAll('\u200c', '').normalize('NFC');
      const body = generic({ node_name: name, address: `h-${index}`, region: text, custom_labels: { x: text } });
      const added = bodyOf(await editor('POST', '/v1/nodes', { body }), 201);
      expect(added).toMatchObject(body);
      for (const [query, value] of [
        ['name_prefix', name],
        ['region', text],
      ] as const) {
        const matching = await listAll(editor, `/v1/nodes?${query}=${encodeURIComponent(value)}`, 'nodes');
        expect(matching).toEqual([added]);
      }
      expectError(await editor('POST', '/v1/nodes', { body }), 409, 6);
    }
  });

  test('of two fields is never concatenated ambiguously', async () => {
    for (const [region, address] of [
      ['r#1', 'b'],
      ['r', '1-b'],
      ['r%231', 'b'],
      ['r#1#2', 'x'],
      ['r-1', 'b'],
    ])
      bodyOf(await editor('POST', '/v1/nodes', { body: generic({ region, address }) }), 201);
  });
});

describe('a query', () => {
  test('with a repeated parameter is a 400, also with the same value', async () => {
    for (const [query, name] of [
      ['page_size=1&page_size=2', 'page_size'],
      ['node_type=generic&node_type=generic', 'node_type'],
      ['name_prefix=a&name%5fprefix=b', 'name_prefix'],
    ]) {
      const { details } = expectError(await editor('GET', `/v1/nodes?${query}`), 400, 3);
      expect(details).toEqual([expect.objectContaining({ field: name, reason: 'duplicate' })]);
    }
    await writesNothing(async () => {
      const node = (await listAll(editor, '/v1/nodes', 'nodes'))[0];
      expectError(await editor('DELETE', `/v1/nodes/${node.node_id}?force=false&force=true`), 400, 3);
      for (const force of ['1', 'True', 'yes', ''])
        expectError(await editor('DELETE', `/v1/nodes/${node.node_id}?force=${force}`), 400, 3);
    });
  });

  test('with an unknown parameter is a 400 that names it, and an absent one is valid', async () => {
    const { details } = expectError(await editor('GET', '/v1/nodes?colour=red'), 400, 3);
    const message = expect.stringMatching(/^Unknown parameter\. Known: .*page_size, page_token, /) as string;
    expect(details).toEqual([{ field: 'colour', reason: 'unknown_field', message }]);
    bodyOf(await editor('GET', '/v1/nodes?'), 200);
    expectError(await editor('GET', '/v1/version?x=1'), 400, 3);
  });
});

describe('compression', () => {
  async function rawGet(path: string, acceptEncoding?: string) {
    const headers = { authorization: authorization.slice('Authorization: '.length) };
    const request = httpsRequest(new URL(path, server.base), {
      rejectUnauthorized: false,
      headers: { ...headers, ...(acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding }) },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const body = Buffer.concat(await response.toArray());
    expect(response.headers['content-length']).toBe(String(body.length));
    return { headers: response.headers, body };
  }

  /** Adds a node whose reply has exactly this size in bytes, and returns its path. */
  async function nodeOfSize(bytes: number): Promise<string> {
    const body = generic({ custom_labels: { x: '' } });
    const added = await editor('POST', '/v1/nodes', { body });
    const path = String(added.headers['location']);
    const missing = bytes - Buffer.byteLength((await editor('GET', path)).text);
    await editor('PATCH', path, { body: { custom_labels: { x: 'x'.repeat(missing) } } });
    expect(Buffer.byteLength((await editor('GET', path)).text)).toBe(bytes);
    return path;
  }

  test('a reply above 1 KB is compressed on request, is smaller, and equal', async () => {
    const plain = await rawGet('/v1/nodes');
    expect(plain.body.length).toBeGreaterThan(1024);
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const accepts of ['gzip', 'GZIP', 'deflate, gzip;q=0.5, br', 'gzip;q=1.0']) {
      const packed = await rawGet('/v1/nodes', accepts);
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
        'content-type': 'application/json',
      });
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(JSON.parse(gunzipSync(packed.body).toString())).toEqual(JSON.parse(plain.body.toString()));
    }
  });

  test('nothing is compressed without gzip in Accept-Encoding', async () => {
    for (const accepts of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.000', 'x-gzip-not', ''])
      expect((await rawGet('/v1/nodes', accepts)).headers['content-encoding']).toBeUndefined();
  });

  test('a reply of 1,024 bytes is not compressed, one of 1,025 is', async () => {
    expect((await rawGet(await nodeOfSize(1024), 'gzip')).headers['content-encoding']).toBeUndefined();
    const packed = await rawGet(await nodeOfSize(1025), 'gzip');
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(packed.body.length).toBeLessThan(1025);
  });

  test('an error is compressed like any other reply', async () => {
    const query = Array.from({ length: 30 }, (_, index) => `unknown_${index}=x`).join('&');
    const { headers, body } = await rawGet(`/v1/nodes?${query}`, 'gzip');
    expect(headers['content-encoding']).toBe('gzip');
    expectError({ status: 400, text: gunzipSync(body).toString() }, 400, 3);
  });
});

describe('without credentials', () => {
  /** Bytes of memory that the server's process occupies. */
  const occupied = async () =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024;

  test('the reply is a 401 before the body is sent, and the body is neither requested nor kept', async () => {
    const before = process.platform === 'linux' ? await occupied() : 0;
    const length = 8 * 1024 * 1024;
    const sockets = await Promise.all(Array.from({ length: 48 }, () => openConnection(server.port)));
    for (const [index, socket] of sockets.entries()) {
      const expectation = index % 2 === 0 ? 'Expect: 100-continue\r\n' : '';
      socket.on('error', () => undefined);
      socket.write(`POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${expectation}Content-Length: ${length}\r\n\r\n`);
    }
    for (const socket of sockets) {
      const [reply] = (await once(socket, 'data')) as [Buffer];
      expect(reply.toString()).toMatch(/^HTTP\/1\.1 401 /);
    }
    // All but the last byte, so that every request is still open.
    const part = Buffer.alloc(length - 1, 'x');
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(part, resolve))));
    // 48 bodies are 384 MB. What is passing through, and what the process collects later, is 120 MB at most, however many there are.
    if (process.platform === 'linux') expect((await occupied()) - before).toBeLessThan(192 * 1024 * 1024);
    for (const socket of sockets) socket.destroy();
    await alive();
  });
});

describe('outside of /v1', () => {
  test('programs get errors in our form, and browsers a page', async () => {
    for (const accept of [undefined, '*/*', 'application/json']) {
      const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
      for (const path of ['/v2/nodes', '/nothing', '/swagger/nothing'])
        expectError(await clientOf(server)('GET', path, { headers }), 404, 5);
      const wrong = await clientOf(server)('POST', '/swagger/', { headers });
      expectError(wrong, 405, 12);
      expect(wrong.headers).toMatchObject({ allow: 'GET, HEAD' });
    }
    const page = await clientOf(server)('GET', '/nothing', { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect(page).toMatchObject({ status: 404, text: 'Not found\n' });
  });
});

describe('the target of a request', () => {
  test('may be a whole URL', async () => {
    const lines = [authorization];
    for (const base of ['https://localhost', 'https://inventory.example:8443', 'HTTP://x'])
      expect(await rawRequest(server.port, `GET ${base}/v1/nodes?page_size=1`, lines)).toMatchObject({ status: 200 });
    expect(await rawRequest(server.port, 'GET https://localhost/v1/nodes')).toMatchObject({ status: 401 });
    expect(await rawRequest(server.port, 'GET https://localhost/swagger/')).toMatchObject({ status: 200 });
  });
});

describe('X-Request-Id', () => {
  test('is in every reply, different each time, and equal to that of the body', async () => {
    const { node_id: id, revision } = bodyOf(await editor('POST', '/v1/nodes', { body: generic() }), 201);
    const lines = [authorization];
    const replies = [
      await rawRequest(server.port, `GET /v1/nodes/${id}`, lines),
      await rawRequest(server.port, `GET /v1/nodes/${id}`, [...lines, `If-None-Match: "${revision}"`]),
      await rawRequest(server.port, `DELETE /v1/nodes/${id}`, lines),
      await rawRequest(server.port, `GET /v1/nodes/${id}`, [...lines, 'X-Request-Id: mine']),
      await rawRequest(server.port, 'GET /v1/unknown', lines),
      await rawRequest(server.port, 'GET /v1/nodes'),
      await rawRequest(server.port, 'HEAD /v1/readyz'),
      await rawRequest(server.port, 'GET /swagger/'),
      await rawRequest(server.port, 'GET /swagger'),
      await rawRequest(server.port, 'GET /nothing'),
      await rawRequest(server.port, 'PUT /'),
      await sendRaw(server.port, 'HELO\r\n\r\n'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 304, 204, 404, 404, 401, 200, 200, 301, 404, 405, 400]);
    const ids = replies.map(({ values }) => values('x-request-id'));
    for (const [requestId, ...others] of ids)
      expect([requestId, others]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), []]);
    expect(new Set(ids.flat()).size).toBe(replies.length);
    for (const [index, { text }] of replies.entries())
      if (text.startsWith('{"code"')) expect(JSON.parse(text).request_id).toBe(ids[index]![0]);
  });
});

describe('connections', () => {
  const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${more}\r\n`;

  test('that end, or send something unreadable, after valid requests get the replies to these', async () => {
    const node = (name: string) => {
      const body = JSON.stringify(generic({ node_name: name }));
      return `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    for (const [index, behind] of ['HELO\r\n\r\n', 'GET /v1/version HTTP/9.9\r\n\r\n', undefined].entries()) {
      const socket = connect({
        host: '127.0.0.1',
        port: server.port,
        rejectUnauthorized: false,
        allowHalfOpen: true,
      } as ConnectionOptions);
      await once(socket, 'secureConnect');
      const reply = replyOn(socket);
      socket.once('end', () => socket.end());
      const good = node(`answered ${index}`) + node(`answered too ${index}`);
      if (behind === undefined) socket.end(good);
      else socket.write(good + behind);
      const { status, text } = await reply;
      const statuses = [status, ...[...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code))];
      expect(statuses.slice(0, 2)).toEqual([201, 201]);
    }
  });

  test('are kept: many requests on one, also pipelined, are answered in order', async () => {
    const socket = await openConnection(server.port);
    const reply = replyOn(socket);
    const paths = ['/v1/version', '/v1/unknown', '/v1/caller', '/v1/nodes?page_size=0', '/v1/version'];
    for (const [index, path] of paths.entries())
      socket.write(request(path, index === paths.length - 1 ? 'Connection: close\r\n' : ''));
    const { status, text } = await reply;
    const statuses = [status, ...[...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code))];
    expect(statuses).toEqual([200, 404, 200, 400, 200]);
  });

  test('are all served for a hundred clients, and a busy server asks some to repeat', async () => {
    const send = async (count: number) => {
      const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(server.port)));
      const replies = sockets.map((socket) => replyOn(socket));
      for (const socket of sockets) socket.write(request('/v1/nodes?page_size=1', 'Connection: close\r\n'));
      return Promise.all(replies);
    };
    let waiting = 100;
    for (let round = 0; waiting > 0 && round < MAX_REPEATS; round += 1) {
      const refused = (await send(waiting)).filter(({ status }) => status !== 200);
      for (const reply of refused)
        expect([reply.status, reply.values('retry-after')]).toEqual([503, [expect.stringMatching(/^\d+$/)]]);
      waiting = refused.length;
    }
    expect(waiting).toBe(0);
  });

  test('with a client that sends byte by byte are served beside others', async () => {
    const body = JSON.stringify(generic());
    const text = `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    const socket = await openConnection(server.port);
    socket.setNoDelay(true);
    const reply = replyOn(socket);
    const others: number[] = [];
    for (const [index, byte] of Array.from(text).entries()) {
      socket.write(byte);
      await delay(1);
      if (index % 50 === 0) others.push((await editor('GET', '/v1/version')).status);
    }
    expect(await reply).toMatchObject({ status: 201 });
    expect(new Set(others)).toEqual(new Set([200]));
  });

  test('with a client that disconnects during its request have no effect', async () => {
    await writesNothing(async () => {
      const body = JSON.stringify(generic());
      const head = `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      for (const [sent, end] of [
        [head + body.slice(0, -1), 'reset'],
        [head + body.slice(0, -1), 'end'],
        [head, 'reset'],
        [head.slice(0, 40), 'end'],
      ] as const) {
        const socket = await openConnection(server.port);
        socket.on('error', () => undefined).resume();
        await new Promise((resolve) => socket.write(sent, resolve));
        await delay(20);
        if (end === 'reset') socket.destroy();
        else socket.end();
      }
      await delay(100);
    });
    await alive();
    expect(server.errors()).toEqual([]);
  });

  test('with a client that does not wait for its reply have their effect', async () => {
    const body = JSON.stringify(generic({ node_name: 'did not wait' }));
    const socket = await openConnection(server.port);
    socket.on('error', () => undefined);
    await new Promise((resolve) =>
      socket.write(
        `POST /v1/nodes HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        resolve,
      ),
    );
    await delay(50);
    socket.destroy();
    const countAdded = async () => (await listAll(editor, '/v1/nodes?name_prefix=did', 'nodes')).length;
    for (let tries = 0; tries < 50 && (await countAdded()) === 0; tries += 1) await delay(20);
    expect(await countAdded()).toBe(1);
    expect(server.errors()).toEqual([]);
  });
});

describe('pages', () => {
  const PAGED = 25;
  const paged = Array.from({ length: PAGED }, (_, index) => `page-${String(index).padStart(2, '0')}`);
  const lists = [
    { path: '/v1/nodes', field: 'nodes', nameOf: (object: any): string => object.node_name },
    { path: '/v1/services', field: 'services', nameOf: (object: any): string => object.service_name },
    { path: '/v1/agents', field: 'agents', nameOf: (object: any): string => `${object.agent_type} ${object.agent_id}` },
    { path: '/v1/api-keys', field: 'api_keys', nameOf: (object: any): string => object.name },
  ];
  /** The token that the first page of a list hands out. */
  const tokenOf = async (path: string) => {
    const page = bodyOf(await admin('GET', `${path}${path.includes('?') ? '&' : '?'}page_size=3`), 200);
    return String(page.next_page_token);
  };

  beforeAll(async () => {
    for (const name of paged) {
      const [node] = await Promise.all([
        editor('POST', '/v1/nodes', { body: generic({ node_name: name, region: 'paged', address: name }) }),
        editor('POST', '/v1/services', {
          body: { service_type: 'haproxy', service_name: name, cluster: 'paged' },
        }),
        admin('POST', '/v1/api-keys', { body: { name, role: 'Viewer' } }),
      ]);
      const { node_id: id } = bodyOf(node, 201);
      bodyOf(await editor('POST', '/v1/agents', { body: { agent_type: 'pmm_agent', runs_on_node_id: id } }), 201);
    }
  });

  test.each(lists)('$path: every object once in order, for any page size', async ({ path, field, nameOf }) => {
    const all = await listAll(admin, path, field, 1000);
    expect(all.length).toBeGreaterThanOrEqual(PAGED);
    const inOrder = all.map(nameOf);
    expect(inOrder).toEqual(inOrder.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))));
    for (const size of inFull([1, 7, PAGED, 100], [7, 100]))
      expect((await listAll(admin, path, field, size)).map(nameOf)).toEqual(inOrder);
  });

  test('have at most page_size objects, from 1 to 1,000, by default 100', async () => {
    expect(bodyOf(await editor('GET', '/v1/nodes?page_size=4'), 200).nodes).toHaveLength(4);
    for (const size of ['1', '1000']) bodyOf(await editor('GET', `/v1/nodes?page_size=${size}`), 200);
    for (const size of ['0', '1001', '-1', '1.5', '1e2', 'ten', '', '%201', '99999999999999999999'])
      for (const { path } of lists) {
        const { details } = expectError(await admin('GET', `${path}?page_size=${size}`), 400, 3);
        expect(details).toEqual([expect.objectContaining({ field: 'page_size' })]);
      }
  });

  test('of changing size and a changing list repeat nothing and omit nothing that stays', async () => {
    const first = bodyOf(await editor('GET', '/v1/nodes?region=paged&page_size=5'), 200);
    const gone = first.nodes[4];
    bodyOf(await editor('DELETE', `/v1/nodes/${gone.node_id}?force=true`), 204);
    const late = generic({ node_name: 'page-99', region: 'paged', address: 'late' });
    bodyOf(await editor('POST', '/v1/nodes', { body: late }), 201);
    const second = bodyOf(
      await editor('GET', `/v1/nodes?region=paged&page_size=1000&page_token=${first.next_page_token}`),
      200,
    );
    expect(second.nodes.map((node: any) => node.node_name)).toEqual([...paged.slice(5), 'page-99']);
    expect(second).not.toHaveProperty('next_page_token');
  });

  test.each(lists)('$path: a token with any change is a 400', async ({ path }) => {
    const token = await tokenOf(path);
    const refused = async (changed: string) => {
      const reply = await admin('GET', `${path}?page_size=3&page_token=${encodeURIComponent(changed)}`);
      expect(expectError(reply, 400, 3).details).toEqual([expect.objectContaining({ field: 'page_token' })]);
    };
    for (let index = 0; index < token.length; index += inFull(3, 20))
      await refused(token.slice(0, index) + (token[index] === 'A' ? 'B' : 'A') + token.slice(index + 1));
    for (const changed of [
      '',
      'x',
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      ` ${token}`,
      token.toUpperCase(),
      'A'.repeat(4097),
    ])
      await refused(changed);
    // What an old server, or a client with imagination, could come up with.
    await refused(Buffer.from(JSON.stringify(['page-03', 'x'])).toString('base64url'));
  });

  test('with a token of another list, or another filter, are a 400', async () => {
    const pageToken = await tokenOf('/v1/nodes?region=paged');
    bodyOf(await editor('GET', `/v1/nodes?region=paged&page_token=${pageToken}`), 200);
    for (const path of [
      '/v1/nodes?',
      '/v1/nodes?region=page&',
      '/v1/nodes?region=paged&node_type=generic&',
      '/v1/services?cluster=paged&',
      '/v1/agents?',
      '/v1/api-keys?',
      '/v1/api-keys?include_expired=true&',
    ])
      expectError(await admin('GET', `${path}page_token=${pageToken}`), 400, 3);
  });

  testInFull('a token of another server is 400', async () => {
    const other = await startServer(await newDataDir(), { environment: { ADMIN_PASSWORD: PASSWORD } });
    try {
      const { session } = await makeKeys(other);
      const foreign = await tokenOf('/v1/nodes');
      const reply = await clientOf(other, bearer(session))('GET', `/v1/nodes?page_size=3&page_token=${foreign}`);
      expectError(reply, 400, 3);
    } finally {
      await other.stop();
      await removeDataDir(other.dataDir);
    }
  });
});

describe('a name in the path', () => {
  const put = (name: string, more: object = {}) =>
    editor('PUT', `/v1/nodes/by-name/${encodeURIComponent(name)}`, {
      body: { node_type: 'generic', address: 'h', ...more },
    });

  test.each([
    ['spaces', 'a  b'],
    ['slashes', '/rack 7//db/'],
    ['percent signs', '100%, %2F, %25, %'],
    ['all that has a meaning in URLs', `?a=b&c#d;e+f,g:h@i!$'()*[]{}|\\^\`"<>~`],
    ['300 non-Latin letters', '\u4e2d'.repeat(300)],
    ['letters of four bytes, and right to left', '\u{1F600}\u05d0\u05d1'],
    ['dots', '...'],
    ['the name of the route', 'by-name'],
    ['the name of another route', 'history'],
  ])('may have %s', async (_, name) => {
    const added = await put(name);
    expect(bodyOf(added, 201)).toMatchObject({ node_name: name, outcome: 'added' });
    expect(bodyOf(await put(name), 200)).toMatchObject({ node_id: bodyOf(added, 201).node_id, outcome: 'unchanged' });
    const [declared, ...others] = (await listAll(editor, '/v1/nodes', 'nodes')).filter(
      (node) => node.node_name === name,
    );
    expect([declared.node_id, others]).toEqual([bodyOf(added, 201).node_id, []]);
  });

  test('is decoded once from its bytes, also when it resembles an escape', async () => {
    const body = { node_type: 'generic', address: 'h' };
    const raw = (segment: string) => editor('PUT', `/v1/nodes/by-name/${segment}`, { body });
    expect(bodyOf(await raw('once%252Ftwice'), 201).node_name).toBe('once%2Ftwice');
    expect(bodyOf(await raw('lower%2fcase'), 201).node_name).toBe('lower/case');
    expect(bodyOf(await raw('lower%2Fcase'), 200).outcome).toBe('unchanged');
    expect(bodyOf(await raw('a+b'), 201).node_name).toBe('a+b');
    for (const segment of ['%', '%zz', '%ED%A0%80', '%FF', 'a/b', ''])
      expect([segment, (await raw(segment)).status]).toEqual([segment, 404]);
    for (const segment of ['a%00b', '%07', 'x'.repeat(513)])
      expect([segment, (await raw(segment)).status]).toEqual([segment, 400]);
  });
});

import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { manualClock } from '../../tests/support/manual-clock.ts';
import { AgentStream } from './agent-stream.ts';
import { type Frame, frameOf } from './framing.ts';

/** The stream of an agent, over a connection that notes its replies. */
function start(state: { destroyed?: boolean; headersSent?: boolean } = {}) {
  const replies: OutgoingHttpHeaders[] = [];
  let admitted = 0;
  const wire = Object.assign(new EventEmitter(), {
    ...{ destroyed: false, headersSent: false, ...state },
    respond: (headers: OutgoingHttpHeaders) => replies.push(headers),
  });
  const stream = new AgentStream(wire as unknown as ServerHttp2Stream, {
    ...{ headers: {}, source: '192.0.2.1', monotonic: manualClock() },
    onAccept: () => (admitted += 1),
  });
  const received: string[] = [];
  const accept = () =>
    stream.accept({ 'x-version': '3' }, (frame: Frame) => {
      if (frame.kind === 'message') received.push(frame.bytes.toString());
    });
  const send = (text: string) => wire.emit('data', frameOf(Buffer.from(text)));
  return { accept, send, replies, received, admitted: () => admitted };
}

test('an admitted stream replies once with status 200, and passes on the earlier messages and later ones', () => {
  const { accept, send, replies, received, admitted } = start();
  send('early');
  expect(received).toEqual([]);
  accept();
  send('later');
  expect(received).toEqual(['early', 'later']);
  expect(replies).toEqual([{ ':status': 200, 'content-type': 'application/grpc', 'x-version': '3' }]);
  expect(admitted()).toBe(1);
});

test.each([{ destroyed: true }, { headersSent: true }])('a stream with %j is not admitted any more', (state) => {
  const { accept, replies, admitted } = start(state);
  accept();
  expect([replies, admitted()]).toEqual([[], 0]);
});

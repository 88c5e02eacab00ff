import { openConnection, replyOn } from './raw-request.ts';
import { startedServers } from './started-servers.ts';

const { start } = startedServers();

test('a late request is refused, and a connection without a request ends without a reply', async () => {
  const { port } = await start();
  const received = await Promise.all(
    ['', 'GET /v1/live'].map(async (part) => {
      const socket = await openConnection(port);
      if (part !== '') socket.write(part);
      const { status, text } = await replyOn(socket);
      return { status, message: text === '' ? undefined : (JSON.parse(text) as { message: string }).message };
    }),
  );
  expect(received).toEqual([
    { status: 0, message: undefined },
    { status: 400, message: 'The request did not arrive within 30 s.' },
  ]);
});

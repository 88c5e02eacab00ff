import { connect } from 'node:net';

/** Whether a server listens at this address. */
export function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolveAccepts) => {
    const socket = connect({ host, port, timeout: 1000 });
    const answer = (accepted: boolean) => {
      socket.destroy();
      resolveAccepts(accepted);
    };
    socket.once('connect', () => answer(true));
    socket.once('timeout', () => answer(false));
    socket.once('error', () => answer(false));
  });
}

interface Answer {
  status: number;
  text: string;
}

/** As often as a client of a test repeats what is refused for now. */
export const MAX_REPEATS = 20;

/** Refused without effect, to be repeated: a slow engine with many clients answers so. */
const isBusy = ({ status, text }: Answer) =>
  status === 503 && text.includes('Try again.') && !text.includes('may have been made');

/** The answer to a request that is repeated while the service refuses it for now, as clients are told to. */
export async function repeatWhileBusy<Reply extends Answer>(ask: () => Promise<Reply>): Promise<Reply> {
  let reply = await ask();
  for (let again = 0; again < MAX_REPEATS && isBusy(reply); again += 1) reply = await ask();
  return reply;
}

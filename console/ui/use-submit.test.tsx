import { ApiFailure } from '../api/client.tsx';
import { Network } from '../testing/network.tsx';
import { closePage, screen, show, user } from '../testing/page.tsx';
import { useSubmit } from './use-submit.tsx';

afterEach(closePage);

type Options = Parameters<typeof useSubmit>[0];

/** A form with one field, whose error is shown as an invalid field. @returns its state at present. */
async function form(options: Options) {
  let state: ReturnType<typeof useSubmit>;
  function Form() {
    state = useSubmit(options);
    return (
      <>
        <input aria-label="Name" aria-invalid={state.said('name') !== undefined} />
        <button onClick={state.submit}>Send</button>
      </>
    );
  }
  await show(<Form />, { network: new Network(() => Promise.reject(new Error('no server'))) });
  return {
    submit: () => user.click(screen.getByRole('button')),
    get state() {
      return state;
    },
  };
}

const isFocused = () => document.activeElement === document.querySelector('input');

test('a form with violations is not sent, and its first wrong field has the focus', async () => {
  let [sent, wrong] = [0, [{ field: 'name', reason: 'required', message: 'Enter a name.' }]];
  const send = () => Promise.resolve(void (sent += 1));
  const shown = await form({ check: () => wrong, send });
  expect([shown.state.violations, isFocused()]).toEqual([[], false]);
  await shown.submit();
  expect([sent, shown.state.said('name'), isFocused()]).toEqual([0, 'Enter a name.', true]);
  wrong = [];
  await shown.submit();
  expect([sent, shown.state.violations, shown.state.failure]).toEqual([1, [], undefined]);
});

test('a conflict is about the field that is unique; in a form without one, it is a failure', async () => {
  const failure = new ApiFailure(409, { message: 'The name is taken.' });
  const options: Options = { check: () => [], send: () => Promise.reject(failure) };
  const unique = await form({ ...options, unique: 'name' });
  await unique.submit();
  expect(unique.state).toMatchObject({
    violations: [{ field: 'name', reason: 'conflict', message: 'The name is taken.' }],
    failure: undefined,
    refusal: failure,
    busy: false,
  });
  const other = await form(options);
  await other.submit();
  expect(other.state).toMatchObject({ violations: [], failure, refusal: failure });
});

test('what the server refuses is about its fields, another refusal about none', async () => {
  const details = [{ field: 'name', reason: 'too_long', message: 'Too long.' }];
  const refused = await form({
    ...{ check: () => [], unique: 'name' },
    send: () => Promise.reject(new ApiFailure(400, { message: 'Invalid.', details })),
  });
  await refused.submit();
  expect(refused.state).toMatchObject({ violations: details, failure: undefined });
  const denied = new ApiFailure(403, { message: 'Denied.' });
  const other = await form({ check: () => [], unique: 'name', send: () => Promise.reject(denied) });
  await other.submit();
  expect(other.state).toMatchObject({ violations: [], failure: denied });
});

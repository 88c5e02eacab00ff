import { closePage, show, textOf, untilQuiet } from '../testing/page.tsx';
import { Network } from '../testing/network.tsx';
import { FaultBoundary } from './fault-boundary.tsx';

const answered = () => Promise.resolve({ status: 200, headers: {}, body: '' });

function Broken(): never {
  throw new Error('a fault of the console');
}

test.each([
  [true, 'The console may have been updated since it was opened. Reload it.'],
  [false, 'The server cannot be reached. Check the connection and try again.'],
])('content that fails is replaced by its reason, on a server that replies: %s', async (isOnline, reason) => {
  const network = Object.assign(new Network(answered), { isOnline });
  await show(
    <FaultBoundary>
      <Broken />
    </FaultBoundary>,
    { network },
  );
  await untilQuiet();
  expect(textOf()).toContain(reason);
  // React has reported it.
  expect(closePage).toThrow('a fault of the console');
});

test('other content is unchanged', async () => {
  await show(<FaultBoundary>Fine</FaultBoundary>, { network: new Network(answered) });
  expect(textOf()).toBe('Fine');
  closePage();
});

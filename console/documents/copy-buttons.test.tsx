import { Network } from '../testing/network.tsx';
import { closePage, pass, screen, show, user } from '../testing/page.tsx';
import { addCopyButtons } from './copy-buttons.tsx';

let copied: string[] = [];
let isAllowed = true;

beforeEach(async () => {
  [copied, isAllowed] = [[], true];
  await show(
    <>
      <div className="code">
        <code>npm start</code>
      </div>
      <div className="code" />
    </>,
    { network: new Network(() => Promise.reject(new Error('no server'))) },
  );
  Object.defineProperty(navigator, 'clipboard', {
    value: {
      writeText: (text: string) => (isAllowed ? Promise.resolve(copied.push(text)) : Promise.reject(new Error('no'))),
    },
    configurable: true,
  });
  addCopyButtons();
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
  closePage();
});

const buttons = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

test('each block of code has a button that copies it, and says so for two seconds', async () => {
  expect(buttons()).toEqual(['Copy', 'Copy']);
  await user.click(screen.getAllByRole('button')[0]!);
  expect([copied, buttons()]).toEqual([['npm start'], ['Copied', 'Copy']]);
  await pass(500);
  expect(buttons()[0]).toBe('Copied');
  await pass(2000);
  expect(buttons()[0]).toBe('Copy');
});

test('a browser that allows no copy says so; a block without code is empty', async () => {
  isAllowed = false;
  await user.click(screen.getAllByRole('button')[0]!);
  expect(buttons()).toEqual(['Not copied', 'Copy']);
  isAllowed = true;
  await user.click(screen.getAllByRole('button')[1]!);
  expect(copied).toEqual(['']);
});

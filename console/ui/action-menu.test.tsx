import { Network } from '../testing/network.tsx';
import { closePage, screen, show, textOf, user } from '../testing/page.tsx';
import { ActionMenu } from './action-menu.tsx';

afterEach(closePage);

const network = () => new Network(() => Promise.reject(new Error('no server')));

test('an action is done when it is chosen, and no other one', async () => {
  const done: string[] = [];
  const action = (id: string) => ({ id, text: `Do ${id}`, act: () => void done.push(id) });
  await show(<ActionMenu name="db-1" actions={['first', 'second', 'third'].map(action)} />, { network: network() });
  await user.click(screen.getByRole('button', { name: 'Actions on db-1' }));
  await user.click(screen.getByRole('menuitem', { name: 'Do second' }));
  expect(done).toEqual(['second']);
});

test('a button beside a heading has a text, and one in a row has none', async () => {
  const textWith = async (isInline: boolean) => {
    await show(<ActionMenu name="db-1" actions={[]} isInline={isInline} />, { network: network() });
    const button = screen.getByRole('button', { name: 'Actions on db-1' });
    return [textOf(button), /variant-(icon|inline-icon)/.test(button.className)];
  };
  expect(await textWith(false)).toEqual(['Actions', false]);
  expect(await textWith(true)).toEqual(['', true]);
});

import { flash } from './flash.ts';

test('the message of an action in progress stays on every page and is not displaced', () => {
  const id = flash.add({ type: 'in-progress', content: 'in progress' }, { pages: Infinity });
  for (const content of ['1', '2', '3', '4']) flash.add({ type: 'success', content }, { pages: 1 });
  const contents = () => flash.get().messages.map(({ content }) => content);
  expect(contents()).toEqual(['in progress', '2', '3', '4']);
  flash.turnPage();
  flash.turnPage();
  expect(contents()).toEqual(['in progress']);
  flash.dismiss(id);
  expect(contents()).toEqual([]);
});

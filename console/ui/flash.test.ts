import { flash } from './flash.ts';

test('what goes on stays on every page, and is not pushed out by later messages', () => {
  const id = flash.add({ type: 'in-progress', content: 'goes on' }, { pages: Infinity });
  for (const content of ['1', '2', '3', '4']) flash.add({ type: 'success', content }, { pages: 1 });
  const contents = () => flash.get().messages.map(({ content }) => content);
  expect(contents()).toEqual(['goes on', '2', '3', '4']);
  flash.turnPage();
  flash.turnPage();
  expect(contents()).toEqual(['goes on']);
  flash.dismiss(id);
  expect(contents()).toEqual([]);
});

/** The keyboard of a user without a pointer: the focus is never lost, and can be seen at each stop. */
import type { Locator } from 'playwright-core';
import { eventually } from '../end-to-end/processes.ts';
import type { Tab } from './browser.ts';

/** No page has more stops on the way to one of its main controls. */
const MAX_STOPS = 80;

/** No menu has more items. */
const MAX_ITEMS = 12;

export const hasFocus = (target: Locator) =>
  target.evaluate((element: any) => element === element.ownerDocument.activeElement);

/** The element with the focus, if nothing shows it or no element has it; else an empty text. */
const FAULT = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return 'no element has the focus';
  const name = element.outerHTML.slice(0, 200);
  const box = element.getBoundingClientRect();
  if (box.bottom <= 0 || box.right <= 0 || box.top >= innerHeight || box.left >= innerWidth) return 'out of sight: ' + name;
  // The element has the ring, or its own boxes, or the box that stands for a hidden input.
  const around = [element, element.parentElement, element.nextElementSibling, ...element.parentElement.children];
  const styles = around.filter((one) => one !== null)
    .flatMap((one) => [null, '::before', '::after'].map((part) => getComputedStyle(one, part)));
  const isRing = ({ outlineStyle, outlineWidth, boxShadow }) =>
    (outlineStyle !== 'none' && outlineWidth !== '0px') || (boxShadow !== 'none' && boxShadow !== '');
  return styles.some(isRing) ? '' : 'without a ring: ' + name;
})()`;

const faultOf = ({ page }: Tab): Promise<string> => page.evaluate(FAULT);

/** Waits until an element has the focus again, which a page or a dialog moves a moment after it has changed. */
export async function expectFocus(tab: Tab): Promise<void> {
  const isThere = async () => (await tab.page.evaluate('document.activeElement !== document.body')) === true;
  await eventually(isThere, 10_000).catch(() => {
    throw new Error('The focus is lost: no element has it');
  });
}

/** Goes to an element with one key. Each stop on the way can be seen. */
export async function moveTo(tab: Tab, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await tab.page.keyboard.press(key);
    const fault = await faultOf(tab);
    // Behind the last stop of the page is the browser itself.
    if (fault !== '' && fault !== 'no element has the focus') throw new Error(`The focus is ${fault}`);
    if (await hasFocus(target)) return;
  }
  throw new Error(`The keyboard does not reach ${String(target)}`);
}

/** The cell of an element of a table: the numbers of its row and column. */
const cellOf = (target: Locator): Promise<[row: number, column: number]> =>
  target.evaluate((element: any) => [element.closest('tr').rowIndex, element.closest('td, th').cellIndex]);

/** Goes to an element of a grid, which is one stop of Tab; arrows move through its cells. */
export async function moveInGrid(tab: Tab, target: Locator): Promise<void> {
  await target.waitFor();
  const focused = tab.page.locator('[role=grid] :focus');
  for (let stops = 0; (await focused.count()) === 0; stops += 1) {
    if (stops === MAX_STOPS) throw new Error('The keyboard reaches no grid');
    await tab.page.keyboard.press('Tab');
    const fault = await faultOf(tab);
    if (fault !== '' && fault !== 'no element has the focus') throw new Error(`The focus is ${fault}`);
  }
  const [row, column] = await cellOf(target);
  for (let presses = 0; presses < MAX_STOPS && !(await hasFocus(target)); presses += 1) {
    const [focusedRow, focusedColumn] = await cellOf(focused);
    if (focusedRow < row) await tab.page.keyboard.press('ArrowDown');
    else if (focusedRow > row) await tab.page.keyboard.press('ArrowUp');
    else await tab.page.keyboard.press(focusedColumn > column ? 'ArrowLeft' : 'ArrowRight');
  }
  if (!(await hasFocus(target))) throw new Error(`The arrows do not reach ${String(target)}`);
}

/** Goes to a link or a button, and presses it. */
export async function press(tab: Tab, target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await moveTo(tab, target, key);
  await tab.page.keyboard.press('Enter');
}

/** Goes to an item of an open menu with the arrow, and chooses it. */
export async function chooseItem({ page }: Tab, item: Locator): Promise<void> {
  await item.waitFor();
  const inMenu = page.getByRole('menu').locator(':focus');
  await inMenu.waitFor();
  for (let presses = 0; presses < MAX_ITEMS && !(await hasFocus(item)); presses += 1) {
    const former = await inMenu.elementHandle();
    await page.keyboard.press('ArrowDown');
    // The focus follows a key with the next drawing.
    await page.waitForFunction((element: any) => element !== element.ownerDocument.activeElement, former);
  }
  if (!(await hasFocus(item))) throw new Error(`The keyboard does not reach ${String(item)}`);
  await page.keyboard.press('Enter');
}

/** Opens a menu with its button, and chooses one of its items. */
export async function choose(tab: Tab, button: Locator, item: Locator, key?: 'Shift+Tab'): Promise<void> {
  await press(tab, button, key);
  await chooseItem(tab, item);
}

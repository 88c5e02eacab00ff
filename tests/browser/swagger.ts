/** The API browser, as tests use it. */
import type { Page } from 'playwright-core';

/** Enters an API key for the requests. Its field has the focus, and nobody reads along. */
export async function authorise(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('#auth-bearer-value[type=password]:focus').waitFor();
  await page.keyboard.insertText(key);
  await page
    .locator('.auth-container')
    .filter({ has: page.locator('#auth-bearer-value') })
    .getByRole('button', { name: /Apply|Authorize/ })
    .click();
  await page.locator('.close-modal').click();
}

/** Opens a group of operations from the menu. */
export const openGroup = (page: Page, name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Groups of operations' }).getByRole('link', { name, exact: true }).click();

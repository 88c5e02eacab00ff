import { screen, user, within } from './page.tsx';
import type { openSite } from './site.tsx';

/** The silences of a site, and the dialog that adds one. Each test begins without silences. */
export function useSilences(site: ReturnType<typeof openSite>) {
  const silences = async () => (await site.api('GET', '/v1/silences')).body.silences;
  afterEach(async () => {
    for (const { silence_id: id } of await silences()) await site.api('DELETE', `/v1/silences/${id}`);
  });
  const dialog = () => within(screen.getByRole('dialog', { name: 'Silence' }));
  const fillIn = async (reason: string) => {
    await user.type(dialog().getByRole('textbox', { name: /^Reason/ }), reason);
    await user.click(dialog().getByRole('button', { name: 'Silence' }));
  };
  return { silences, dialog, fillIn };
}

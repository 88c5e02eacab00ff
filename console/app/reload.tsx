import { base } from '../api/base.tsx';

const EVERY_MS = 500;

async function tagOfPage(): Promise<string | null> {
  try {
    return (await fetch(`${base}/`, { method: 'HEAD', cache: 'no-store' })).headers.get('ETag');
  } catch {
    // The server restarts.
    return null;
  }
}

/** Reloads the page when the console on the server is another one. `npm run dev` builds it in, no other build does. */
export async function reloadWhenBuilt(): Promise<void> {
  let known = await tagOfPage();
  setInterval(() => {
    void tagOfPage().then((tag) => {
      if (known !== null && tag !== null && tag !== known) location.reload();
      known = tag ?? known;
    });
  }, EVERY_MS);
}

import { base } from '../api/base.tsx';

const EVERY_MS = 500;

async function tagOfPage(): Promise<string | null> {
  try {
    return (await fetch(`${base}/`, { method: 'HEAD', cache: 'no-store' })).headers.get('ETag');
  } catch {
    // The server is restarting.
    return null;
  }
}

/** Reloads the page when the server has another version of the console. Only `npm run dev` includes it. */
export async function reloadWhenBuilt(): Promise<void> {
  let loadedTag = await tagOfPage();
  setInterval(() => {
    void tagOfPage().then((tag) => {
      if (loadedTag !== null && tag !== null && tag !== loadedTag) location.reload();
      loadedTag = tag ?? loadedTag;
    });
  }, EVERY_MS);
}

import { type SearchHit, searchIn, searchSchema } from './search-sections.ts';

type Search = (query: string) => SearchHit[];

let index: Promise<Search> | undefined;

/** Reads what is searched, with the first search. */
const loadIndex = (): Promise<Search> =>
  (index ??= fetch('search.json').then(async (reply) => searchIn(searchSchema.parse(await reply.json()))));

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function itemOf({ id, page, title, excerpt }: SearchHit): HTMLElement {
  const link = document.createElement('a');
  link.href = id;
  link.append(
    element('strong', '', title === '' ? page : title),
    element('span', 'hit-page', title === '' ? '' : page),
  );
  link.append(element('span', 'hit-text', excerpt));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

/** Adds the search field. The arrow keys lead through what it found, and `/` leads to it. */
export function addSearch(): void {
  const place = document.getElementById('search');
  if (place === null) return;
  const field = document.createElement('input');
  field.type = 'search';
  field.placeholder = 'Search the documents';
  field.setAttribute('aria-label', 'Search the documents');
  field.setAttribute('aria-keyshortcuts', '/');
  const status = element('p', 'search-status');
  status.setAttribute('role', 'status');
  const list = document.createElement('ul');
  const panel = element('div', 'search-panel');
  panel.hidden = true;
  panel.append(status, list);
  place.append(field, panel);

  const links = (): HTMLElement[] => [...list.querySelectorAll('a')];
  const close = (): void => {
    panel.hidden = true;
  };
  const show = async (): Promise<void> => {
    const query = field.value.trim();
    if (query === '') {
      close();
      return;
    }
    const search = await loadIndex();
    if (query !== field.value.trim()) return;
    const hits = search(query);
    list.replaceChildren(...hits.map(itemOf));
    status.textContent = hits.length === 0 ? `Nothing found for "${query}".` : `${hits.length} found`;
    panel.hidden = false;
  };
  const showOrSay = (): void => {
    show().catch(() => {
      index = undefined;
      status.textContent = 'The search could not be loaded.';
      panel.hidden = false;
    });
  };
  field.addEventListener('input', showOrSay);
  field.addEventListener('focus', showOrSay);
  place.addEventListener('keydown', (event) => {
    const all = [field, ...links()];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape' && !panel.hidden) {
      field.value = '';
      field.focus();
      close();
    } else if (event.key === 'Enter' && event.target === field) links()[0]?.click();
    else if (step !== undefined && !panel.hidden) {
      const at = all.findIndex((element) => element === document.activeElement);
      all[(at + step + all.length) % all.length]?.focus();
    } else return;
    event.preventDefault();
  });
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && place.contains(relatedTarget)) return;
    if (relatedTarget !== null) close();
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Node && place.contains(target))) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target !== document.body) return;
    field.focus();
    event.preventDefault();
  });
}

interface Page<T> {
  items: readonly T[];
  next: string | undefined;
}

/** The items of all pages of a list, one request per page. */
export async function allPages<T>(load: (pageToken: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  let next: string | undefined;
  do {
    const page = await load(next);
    items.push(...page.items);
    next = page.next;
  } while (next !== undefined);
  return items;
}

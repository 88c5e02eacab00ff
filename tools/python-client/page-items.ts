const TOKEN = /^ {4}next_page_token: str \| Unset = UNSET\n/m;
const LISTS = /^ {4}(\w+): (list\[[\s\S]*?\])\n/gm;
const FIRST_METHOD = /^ {4}(?:@\w+\n {4})?def /m;

/** The class of a page with `page_items`: its objects, by one name in all lists. Other classes are returned unchanged. */
export function withPageItems(text: string): string {
  const [list, ...others] = [...text.matchAll(LISTS)];
  // The result of a cleanup has several lists, and is no page of one.
  if (!TOKEN.test(text) || list === undefined || others.length > 0) return text;
  const [, name = '', type = ''] = list;
  const property = `    @property
    def page_items(self) -> ${type}:
        """The objects of the page."""
        return self.${name}

`;
  return text.replace(FIRST_METHOD, (method) => `${property}${method}`);
}

const LIMIT = /\((min|max)-(width|height): ?(\d+)px\)/;

/** Media queries for the size of the window; others, for example that of a dark system, do not match. */
export class MediaQueries {
  size = { width: 1280, height: 800 };
  /** One for each query: Cloudscape asks for one at each change of the page. */
  readonly #lists = new Map<string, MediaQueryList>();

  #matches(query: string): boolean {
    const [, end, side, limit] = LIMIT.exec(query) ?? [];
    if (limit === undefined) return false;
    const length = side === 'width' ? this.size.width : this.size.height;
    return end === 'max' ? length <= Number(limit) : length >= Number(limit);
  }

  readonly matchMedia = (query: string): MediaQueryList => {
    const existing = this.#lists.get(query);
    if (existing !== undefined) return existing;
    const target = new EventTarget();
    const list = Object.assign(target, {
      media: query,
      matches: false,
      onchange: null,
      addListener: (listener: EventListener) => target.addEventListener('change', listener),
      removeListener: (listener: EventListener) => target.removeEventListener('change', listener),
    });
    Object.defineProperty(list, 'matches', { get: () => this.#matches(query) });
    this.#lists.set(query, list);
    return list;
  };

  resize(size: { width: number; height: number }): void {
    const lists = [...this.#lists.values()];
    const before = lists.map(({ media }) => this.#matches(media));
    this.size = size;
    lists.forEach((list, index) => {
      if (this.#matches(list.media) !== before[index]) list.dispatchEvent(new Event('change'));
    });
  }
}

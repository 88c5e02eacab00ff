const LIMIT = /\((min|max)-(width|height): ?(\d+)px\)/;

/** Media queries for the size of the window; others, for example that of a dark system, do not match. */
export class MediaQueries {
  size = { width: 1280, height: 800 };
  readonly #lists = new Set<{ query: string; target: EventTarget }>();

  #matches(query: string): boolean {
    const [, end, side, limit] = LIMIT.exec(query) ?? [];
    if (limit === undefined) return false;
    const length = side === 'width' ? this.size.width : this.size.height;
    return end === 'max' ? length <= Number(limit) : length >= Number(limit);
  }

  readonly matchMedia = (query: string): MediaQueryList => {
    const target = new EventTarget();
    this.#lists.add({ query, target });
    const list = Object.assign(target, {
      media: query,
      matches: false,
      onchange: null,
      addListener: (listener: EventListener) => target.addEventListener('change', listener),
      removeListener: (listener: EventListener) => target.removeEventListener('change', listener),
    });
    return Object.defineProperty(list, 'matches', { get: () => this.#matches(query) });
  };

  resize(size: { width: number; height: number }): void {
    const before = [...this.#lists].map(({ query }) => this.#matches(query));
    this.size = size;
    [...this.#lists].forEach(({ query, target }, index) => {
      if (this.#matches(query) !== before[index]) target.dispatchEvent(new Event('change'));
    });
  }
}

/** One line for each operation and each component: nearly minimal in size, and still suitable for a diff. */
export function serialise(document: { paths: object; components: object }): string {
  const section = (entries: object, each: (value: unknown) => string) =>
    `{\n${Object.entries(entries)
      .map(([name, value]) => `${JSON.stringify(name)}:${each(value)}`)
      .join(',\n')}\n}`;
  const { paths, components, ...rest } = document;
  const inner = (value: unknown) =>
    typeof value === 'object' && value !== null ? section(value, JSON.stringify) : JSON.stringify(value);
  const lines = [
    ...Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    `"paths":${section(paths, inner)}`,
    `"components":${section(components, inner)}`,
  ];
  return `{\n${lines.join(',\n')}\n}\n`;
}

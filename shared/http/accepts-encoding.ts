/** Whether a client takes this content coding, by its Accept-Encoding. One that says nothing is not asked to decode. */
export function acceptsEncoding(encoding: string, header: string | undefined): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, quality] = part.split(';');
    return name?.trim().toLowerCase() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(quality ?? '');
  });
}

import { crc32, deflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  readonly isExecutable?: boolean;
}

/** 1980-01-01, the first day that the format knows, in the form of MS-DOS. */
const DAY = 0x21;
const DEFLATE = 8;
/** UTF-8 names. */
const FLAGS = 0x800;
const VERSION = 20;
/** The archive is made on Unix, so that its entries have modes. */
const MADE_ON_UNIX = (3 << 8) | VERSION;

interface PackedEntry extends ZipEntry {
  readonly packed: Buffer;
  readonly offset: number;
}

/** The fields of both headers of an entry. */
function commonFields({ name, content, packed }: PackedEntry): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(FLAGS, 2);
  fields.writeUInt16LE(DEFLATE, 4);
  fields.writeUInt16LE(0, 6);
  fields.writeUInt16LE(DAY, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

const localHeader = (entry: PackedEntry): Buffer =>
  Buffer.concat([Buffer.from('PK\x03\x04'), commonFields(entry), Buffer.from(entry.name)]);

function centralHeader(entry: PackedEntry): Buffer {
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(MADE_ON_UNIX);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(((entry.isExecutable === true ? 0o100755 : 0o100644) << 16) >>> 0, 6);
  rest.writeUInt32LE(entry.offset, 10);
  return Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, commonFields(entry), rest, Buffer.from(entry.name)]);
}

/**
 * An archive whose bytes depend on the names and contents alone: sorted, all of one time.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const sorted = entries.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of sorted) {
    const packed = { ...entry, packed: deflateRawSync(entry.content, { level: 9 }), offset };
    const header = localHeader(packed);
    files.push(header, packed.packed);
    directory.push(centralHeader(packed));
    offset += header.length + packed.packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(sorted.length, 8);
  end.writeUInt16LE(sorted.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, central, end]);
}

import { generate } from 'selfsigned';

/** A certificate for names and its key, in PEM. Nobody knows it unless it is given. */
export interface OwnCertificate {
  cert: string;
  key: string;
}

/** @param ip the addresses of IPv4 that the certificate is for. */
export async function ownCertificate(names: readonly string[], ip: readonly string[] = []): Promise<OwnCertificate> {
  const altNames = [
    ...names.map((value) => ({ type: 2 as const, value })),
    ...ip.map((one) => ({ type: 7 as const, ip: one })),
  ];
  const subject = [{ name: 'commonName', value: names[0] ?? ip[0] ?? '' }];
  const extensions = [
    { name: 'basicConstraints' as const, cA: true },
    { name: 'subjectAltName' as const, altNames },
  ];
  const { cert, private: key } = await generate(subject, { algorithm: 'sha256', extensions });
  return { cert, key };
}

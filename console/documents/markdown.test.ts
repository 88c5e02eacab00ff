import { render } from './markdown.ts';

const htmlOf = (markdown: string) => render(markdown, () => undefined).html;

test('a long name in code can break at its joints', () => {
  expect(htmlOf('`agentGatewayCertificateArn`')).toBe(
    '<p><code>agent<wbr>Gateway<wbr>Certificate<wbr>Arn</code></p>\n',
  );
  expect(htmlOf('`public.ecr.aws/docker@sha256:ebfe`')).toContain('public.ecr.aws/<wbr>docker@<wbr>sha256:<wbr>ebfe');
});

test('a digest in code can break', () => {
  const pieces = htmlOf(`\`sha256:${'0123456789abcdef'.repeat(4)}\``).split('<wbr>');
  expect(Math.max(...pieces.map((piece) => piece.replace(/<[^>]*>/g, '').length))).toBeLessThan(26);
});

test('a short name and a block of code stay as they are', () => {
  expect(htmlOf('`node_name`')).toBe('<p><code>node_name</code></p>\n');
  expect(htmlOf('```\nagentGatewayCertificateArn\n```')).not.toContain('<wbr>');
});

test('HTML signs in code are text', () => {
  expect(htmlOf('`<script>alert(someLongName)</script>`')).not.toContain('<script>');
});

import { execFileSync, spawnSync } from 'node:child_process';

export const canMakeCertificates = spawnSync('openssl', ['version']).status === 0;

/** A new key and a certificate for 127.0.0.1 that no authority has signed. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const made = execFileSync('openssl', ['req', '-x509', ...curve, ...about, '-keyout', '-', '-out', '-'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const start = made.indexOf('-----BEGIN CERTIFICATE-----');
  return { key: made.slice(0, start), cert: made.slice(start) };
}

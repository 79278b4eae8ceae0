import type { ProgramSpec, ProgramTable } from '../spec.js';

/** Programs that put a compressed file in a file's place, and back. */
export const compressorPrograms: ProgramTable = {
  gzip: compressor('.gz', {}),
  bzip2: compressor('.bz2', { flags: '-s -z --small --compress --repetitive-best --repetitive-fast' }),
  xz: compressor('.xz', {
    flags:
      '-z -e -H -Q --compress --extreme --no-sparse --single-stream --ignore-check --no-adjust --no-warn --robot --no-sync --long-help --info-memory --lzma1? --lzma2? --delta? --x86?',
    values:
      '-C -F -T -M --check --format --threads --memlimit --memlimit-compress --memlimit-decompress --memory --block-size --block-list --flush-timeout',
    options: { '--files --files0': '?read' },
  }),
  lzma: { like: 'xz' },
  zstd: compressor('.zst', {
    flags:
      '-z -C -B? --compress --ultra --adaptive? --long? --rsyncable --no-check --check --no-progress --progress --rm --single-thread --sparse --no-sparse --exclude-compressed -b? -e? -i? --format? --patch-apply',
    values: '-M -T --threads --memory --stream-size --size-hint --target-compressed-block-size',
    options: {
      '-D --patch-from --filelist': 'read',
      '-o': 'output',
      '--output-dir-flat --output-dir-mirror': 'write/**',
    },
  }),
  // With several, the second is what is written.
  lz4: compressor('.lz4', {
    flags: '-z -m -B? --rm -b? -e? -i? --content-size --sparse --no-sparse --favor-decSpeed',
    does: ['write/** . if many'],
  }),
  lzip: compressor('.lz', {}),
  brotli: compressor('.br', {
    flags: '-j -w? --rm -Z',
    values: '--quality --lgwin',
    options: { '-o --output': 'output' },
  }),
  compress: compressor('.Z', { flags: '-C', values: '-b' }),
  gunzip: unpacker('gzip'),
  uncompress: unpacker('compress'),
  bunzip2: unpacker('bzip2'),
  unxz: unpacker('xz'),
  unlzma: unpacker('xz'),
  unzstd: unpacker('zstd'),
  unlz4: unpacker('lz4'),
  zcat: printer('gzip'),
  gzcat: printer('gzip'),
  bzcat: printer('bzip2'),
  xzcat: printer('xz'),
  lzcat: printer('xz'),
  zstdcat: printer('zstd'),
  lz4cat: printer('lz4'),
  pigz: { like: 'gzip', flags: '-i -K -z -Y -y -R -m -M -0 -11', values: '-b -p --blocksize --processes' },
  unpigz: { like: 'gunzip', values: '-p' },
  pbzip2: { like: 'bzip2', values: '-p -m -b' },
  zless: { like: 'zcat' },
  zmore: { like: 'zcat' },
  zdiff: { flags: '-u -c -q -y -r -N -w -b -B -i', operands: ['...read'] },
  zcmp: { flags: '-s -l', operands: ['...read'] },
};

function compressor(suffix: string, more: ProgramSpec): ProgramSpec {
  const prints = '-c --stdout --to-stdout -l --list -t --test';
  const unpacks = '-d --decompress --uncompress';
  const folders = '-r --recursive';
  return {
    ...more,
    flags:
      `-a -c -d -f -h -k -l -L -n -N -q -r -t -v -V -# --ascii --stdout --to-stdout --decompress --uncompress --force --keep --list --license --no-name --name --quiet --recursive --synchronous --test --verbose --fast? --best ${more.flags ?? ''}`.trim(),
    values: `-S --suffix ${more.values ?? ''}`.trim(),
    operands: [
      `...read if ${prints}`,
      `...read+write:${suffix} if -k --keep unless ${prints} unless ${unpacks} ${folders}`,
      `...read+write:${suffix}+delete unless ${prints} unless ${unpacks} ${folders} -k --keep`,
      `...read+code:unpacked if ${unpacks} if -k --keep unless ${prints} ${folders}`,
      `...read+code:unpacked+delete if ${unpacks} unless ${prints} ${folders} -k --keep`,
      `...read/**+write/**+delete/** if ${folders} unless ${prints}`,
    ],
  };
}

function unpacker(name: string): ProgramSpec {
  const prints = '-c --stdout --to-stdout -l --list -t --test';
  return {
    like: name,
    operands: [
      `...read if ${prints}`,
      `...read+code:unpacked if -k --keep unless ${prints} -r --recursive`,
      `...read+code:unpacked+delete unless ${prints} -r --recursive -k --keep`,
      `...read/**+write/**+delete/** if -r --recursive unless ${prints}`,
    ],
  };
}

function printer(name: string): ProgramSpec {
  return { like: name, operands: ['...read'] };
}

import { createConnection, Socket } from 'node:net';

/** A pipe or a Unix socket that this process reads. */
export interface Pipe {
  write(text: string): void;
  close(): void;
}

export interface PipeReader {
  readonly part: (bytes: Buffer) => void;
  /** Once, at the end of the input or for an error. Not called after `close`. */
  readonly end: (error: Error | null) => void;
}

/** A descriptor of this process, or the path of a Unix socket. */
type PipePlace = number | string;

/**
 * Reads a pipe. Loading `node:net` takes a fifth of Node's own start, and a hook does nothing else with it; so the parts of Node
 * below it are used, in the versions of Node where they are known.
 */
export function openPipe(place: PipePlace, reader: PipeReader, below = partsBelow()): Pipe {
  return below === null ? pipeOfStreams(place, reader) : pipeBelow(place, reader, below);
}

function pipeOfStreams(place: PipePlace, { part, end }: PipeReader): Pipe {
  const socket =
    typeof place === 'number'
      ? new Socket({ fd: place, readable: true, writable: false })
      : createConnection(place);
  let isOpen = true;
  const ended = (error: Error | null) => {
    if (isOpen) end(error);
    isOpen = false;
  };
  socket
    .on('data', part)
    .on('error', ended)
    .on('end', () => ended(null));
  return {
    write: (text) => void socket.write(text),
    close() {
      isOpen = false;
      socket.destroy();
    },
  };
}

interface Handle {
  onread: (memory: ArrayBuffer | undefined) => void;
  open(descriptor: number): number | undefined;
  connect(request: object, path: string): number | undefined;
  readStart(): number | undefined;
  writeUtf8String(request: object, text: string): number | undefined;
  close(): void;
}

/** The internals of `node:net`. */
export interface PartsBelow {
  readonly pipe: {
    readonly Pipe: new (kind: number) => Handle;
    readonly PipeConnectWrap: new () => object;
    readonly constants: { readonly SOCKET: number };
  };
  readonly stream: {
    readonly WriteWrap: new () => object;
    readonly streamBaseState: { readonly [index: number]: number };
    readonly kReadBytesOrError: number;
    readonly kArrayBufferOffset: number;
  };
}

const known = /^v(?:20|22|24)\./;

/** Null in a version of Node in which they may differ. */
export function partsBelow(version = process.version): PartsBelow | null {
  if (!known.test(version)) return null;
  try {
    const { binding } = process as unknown as { readonly binding: (name: string) => unknown };
    const [pipe, stream] = [binding('pipe_wrap'), binding('stream_wrap')];
    const parts = { pipe, stream } as PartsBelow;
    const { kReadBytesOrError, kArrayBufferOffset } = parts.stream;
    const places = [parts.pipe.constants.SOCKET, kReadBytesOrError, kArrayBufferOffset];
    return places.every(Number.isInteger) ? parts : null;
  } catch {
    return null;
  }
}

const endOfFile = -4095;

function pipeBelow(place: PipePlace, reader: PipeReader, { pipe, stream }: PartsBelow): Pipe {
  const { streamBaseState: state, kReadBytesOrError, kArrayBufferOffset } = stream;
  const handle = new pipe.Pipe(pipe.constants.SOCKET);
  let isOpen = true;
  const close = () => {
    if (isOpen) handle.close();
    isOpen = false;
  };
  const ended = (code: number | undefined) => {
    if (!isOpen) return;
    close();
    reader.end(code === endOfFile ? null : new Error(`the pipe failed: ${String(code)}`));
  };
  /** A number other than 0 is an error code. */
  const check = (code: number | undefined) => {
    if (code !== 0 && code !== undefined) ended(code);
  };
  handle.onread = (memory) => {
    const length = state[kReadBytesOrError] ?? endOfFile;
    if (memory === undefined || length < 0) check(length);
    else if (isOpen) reader.part(Buffer.from(memory, state[kArrayBufferOffset], length));
  };
  // Each request is kept by Node until it is done.
  const request = (Kind: new () => object, oncomplete: (code: number) => void) =>
    Object.assign(new Kind(), { handle, oncomplete });
  const waiting: string[] = [];
  let isReady = typeof place === 'number';
  const write = (text: string) => {
    if (!isOpen) return;
    if (isReady) check(handle.writeUtf8String(request(stream.WriteWrap, check), text));
    else waiting.push(text);
  };
  const start = (code?: number) => {
    check(code);
    if (isOpen) check(handle.readStart());
    isReady = true;
    for (const text of waiting.splice(0)) write(text);
  };
  // An immediate failure is reported later, like all others.
  queueMicrotask(() => {
    if (!isOpen) return;
    if (typeof place === 'string') check(handle.connect(request(pipe.PipeConnectWrap, start), place));
    else {
      check(handle.open(place));
      start();
    }
  });
  return { write, close };
}

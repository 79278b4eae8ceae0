export { runGateway } from './gateway.js';
export { listenGateway } from './http/listen.js';
export { acceptPins, seenPins } from './pins/compare-pins.js';
export { changePins, type Pin, type Pins, pinFolder, readPins } from './pins/pin-file.js';
export { GatewayError } from './servers/open-upstream.js';
export type { NamedServer } from './upstream/server-of.js';
export { readServersFile } from './upstream/servers-file.js';

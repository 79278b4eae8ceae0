export { GatewayError, type GatewayOptions, runGateway } from './gateway.js';
export { acceptPins } from './pins/compare-pins.js';
export { type Pin, type Pins, pinFolder, readPins, writePins } from './pins/pin-file.js';
export type { NamedServer } from './upstream/server-of.js';

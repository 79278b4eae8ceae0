export { GatewayError, type GatewayOptions, runGateway } from './gateway.js';
export { acceptPins } from './pins/compare-pins.js';
export { type Pins, pinFolder, readPins, writePins } from './pins/pin-file.js';

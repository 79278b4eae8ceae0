// For authors: the zod that tools' schemas are made with, so that a toolset depends on this package alone.
export { z } from 'zod';

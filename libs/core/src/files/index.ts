export { isPathBelow, matchesFilePattern } from './file-pattern.js';

// Converts the contract's path syntax to the router's.
export const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

// From the contract's way of writing a path to the router's.
export const fastifyPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

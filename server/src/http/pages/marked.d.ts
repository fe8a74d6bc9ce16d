// The part of marked that is used; version 4, which comes with redoc, has no types of its own.
declare module 'marked' {
  export const marked: {
    parse(markdown: string, options: { headerIds: boolean; mangle: boolean }): string
  }
}

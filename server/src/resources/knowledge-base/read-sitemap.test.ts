import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readRobots, readSitemap } from './read-sitemap.ts'

describe('a sitemap', () => {
  it('lists pages, or other sitemaps', () => {
    const pages =
      '<?xml version="1.0"?><urlset><url><loc> https://a.example/?x=1&amp;y=2 </loc></url><url><loc>nowhere</loc></url></urlset>'
    expect(readSitemap(Buffer.from(pages))).toEqual({ pages: ['https://a.example/?x=1&y=2'], sitemaps: [] })
    const index =
      '<sitemapindex><sitemap><loc><![CDATA[https://a.example/s.xml]]></loc></sitemap></sitemapindex>'
    expect(readSitemap(Buffer.from(index))).toEqual({ pages: [], sitemaps: ['https://a.example/s.xml'] })
  })

  it('may be a file of gzip, but not a bomb', () => {
    const pages = '<urlset><url><loc>https://a.example/</loc></url></urlset>'
    expect(readSitemap(gzipSync(pages))?.pages).toEqual(['https://a.example/'])
    expect(readSitemap(gzipSync(`${pages}${' '.repeat(60 * 1024 ** 2)}`))).toBeUndefined()
    expect(readSitemap(gzipSync(pages).subarray(0, 20))).toBeUndefined()
  })

  it('is not any page', () => {
    expect(readSitemap(Buffer.from('<html><body><loc>https://a.example</loc></body></html>'))).toBeUndefined()
  })
})

describe('what a site forbids', () => {
  it.each<[string, string, string, boolean]>([
    ['nothing, without rules', '', '/a', true],
    ['a folder', 'User-agent: *\nDisallow: /a', '/a/b', false],
    ['less than the longer rule allows', 'User-agent: *\nDisallow: /a\nAllow: /a/b', '/a/b', true],
    ['only others', 'User-agent: Other\nDisallow: /', '/a', true],
    ['us in particular', 'User-agent: *\nDisallow:\n\nUser-agent: Parley\nDisallow: /', '/a', false],
    ['a pattern', 'User-agent: *\nDisallow: /*.pdf$', '/x/a.pdf', false],
    ['a pattern that does not fit', 'User-agent: *\nDisallow: /*.pdf$', '/x/a.pdf.html', true],
  ])('is %s', (_what, rules, path, mayBeRead) => {
    expect(readRobots(rules)(path)).toBe(mayBeRead)
  })
})

// Shows the API reference in the colours of the page, which follow the scheme of the browser.
const place = document.getElementById('reference')
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()

function show() {
  const text = { primary: colour('ink'), secondary: colour('muted') }
  const fonts = getComputedStyle(document.body).fontFamily
  globalThis.Redoc.init(
    place.dataset.document,
    {
      scrollYOffset: '.bar',
      theme: {
        colors: {
          primary: { main: colour('accent-ink') },
          success: { main: colour('good') },
          warning: { main: colour('wait') },
          error: { main: colour('bad') },
          text,
          border: { dark: colour('edge'), light: colour('line') },
          responses: {
            success: { color: colour('good'), backgroundColor: colour('good-soft'), tabTextColor: '#62d19b' },
            error: { color: colour('bad'), backgroundColor: colour('bad-soft'), tabTextColor: '#ff8f93' },
          },
        },
        schema: {
          nestedBackground: colour('rail'),
          linesColor: colour('edge'),
          typeNameColor: colour('muted'),
          typeTitleColor: colour('muted'),
          requireLabelColor: colour('bad'),
        },
        typography: {
          fontSize: '14px',
          fontFamily: fonts,
          headings: { fontFamily: fonts, fontWeight: '600' },
          code: { backgroundColor: colour('hover'), color: colour('ink') },
          links: { color: colour('accent-ink') },
        },
        sidebar: { backgroundColor: colour('rail'), textColor: colour('muted'), activeTextColor: colour('ink') },
        rightPanel: { backgroundColor: '#18181d' },
      },
    },
    place,
  )
}

show()
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => location.reload())

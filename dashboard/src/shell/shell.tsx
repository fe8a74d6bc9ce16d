// The frame around every page: the side bar, which on a narrow screen is a drawer, and the page itself.
import { type ReactNode, useEffect, useRef } from 'react'
import { usePlace } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon, Logo } from '../ui/controls/icons.tsx'
import { SideBar } from './side-bar.tsx'

export function Shell({ children }: { children: ReactNode }) {
  const drawer = useRef<HTMLDialogElement>(null)
  const main = useRef<HTMLElement>(null)
  const path = usePlace().steps.join('/')
  const arrived = useRef(path)

  // A new page starts at its top, for screen readers as well: the focus goes to the page.
  useEffect(() => {
    if (arrived.current === path) return
    arrived.current = path
    drawer.current?.close()
    main.current?.focus()
  }, [path])

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-accent px-3 py-2 text-white focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to the page
      </a>
      <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b border-line bg-rail px-3 lg:hidden">
        <Button kind="quiet" aria-label="Open the menu" onClick={() => drawer.current?.showModal()}>
          <Icon name="menu" className="size-5" />
        </Button>
        <Logo />
        <span className="font-semibold tracking-tight">Parley</span>
      </header>
      <dialog
        ref={drawer}
        closedby="any"
        aria-label="Menu"
        className="m-0 h-dvh max-h-none w-70 max-w-[85vw] bg-rail p-0 text-ink shadow-2xl lg:hidden"
      >
        <SideBar onLeave={() => drawer.current?.close()} />
      </dialog>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-rail lg:block">
        <SideBar onLeave={() => {}} />
      </aside>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="mx-auto w-full max-w-5xl has-[[data-wide]]:max-w-7xl px-4 py-6 outline-none sm:px-8 sm:py-10"
      >
        {children}
      </main>
    </div>
  )
}

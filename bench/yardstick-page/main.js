// The smallest page that React can show: what the pages of the dashboard are compared with.
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const heading = createElement('h1', null, 'A heading')
createRoot(document.getElementById('root')).render(createElement('main', null, heading))

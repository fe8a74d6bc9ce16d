// One edge on the canvas, with its words: cut if they are long, and whole under the pointer or the focus.
import { BaseEdge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { useState } from 'react'
import type { DrawnEdge } from './drawn.ts'
import { curvesOf, svgPathOf } from './edge-curve.ts'

export function EdgeShape(props: EdgeProps<DrawnEdge>) {
  const { id, data, markerEnd, selected = false } = props
  const [hovered, setHovered] = useState(false)
  const isWhole = hovered || selected || data?.isFocused === true
  const from = { x: props.sourceX, y: props.sourceY }
  const to = { x: props.targetX, y: props.targetY }
  return (
    <>
      <BaseEdge id={id} path={svgPathOf(curvesOf(from, to))} {...(markerEnd && { markerEnd })} />
      {data?.label && (
        <EdgeLabelRenderer>
          <div
            // Screen readers get the words from the edge itself.
            aria-hidden="true"
            data-edge={id}
            data-whole={isWhole || undefined}
            onPointerEnter={() => setHovered(true)}
            onPointerLeave={() => setHovered(false)}
            className="edge-label nodrag nopan"
            style={{
              ...(!isWhole && { maxWidth: data.label.width }),
              transform: `translate(-50%, -50%) translate(${data.label.x}px, ${data.label.y}px)`,
            }}
          >
            {data.words}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

// One edge on the canvas: straight down, or around the side if it leads back up.
import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { nodeWidth } from './arrange.ts'
import type { DrawnEdge } from './drawn.ts'

// How far it swings out beside the nodes, and below and above them.
const sideways = 44
const swing = 70

export function EdgeShape(props: EdgeProps<DrawnEdge>) {
  const { label, markerEnd } = props
  const [path, labelX, labelY] = props.targetY <= props.sourceY ? around(props) : down(props)
  return (
    <BaseEdge
      id={props.id}
      path={path}
      labelX={labelX}
      labelY={labelY}
      label={label}
      labelBgPadding={[6, 3]}
      labelBgBorderRadius={4}
      {...(markerEnd && { markerEnd })}
    />
  )
}

// Within the gap below a row of nodes.
const labelBelow = 46
const longFrom = 160

/** The words of an edge past a row are above that row, where no node covers them. */
function down(props: EdgeProps<DrawnEdge>): [string, number, number] {
  const { sourceX, sourceY, targetX, targetY } = props
  const [path, middleX, middleY] = getBezierPath(props)
  if (targetY - sourceY < longFrom) return [path, middleX, middleY]
  return [path, sourceX + (targetX - sourceX) * 0.08, sourceY + labelBelow]
}

/** To the right of both nodes, so that it does not pass behind them. */
function around({ sourceX, sourceY, targetX, targetY }: EdgeProps<DrawnEdge>): [string, number, number] {
  const side = Math.max(sourceX, targetX) + nodeWidth / 2 + sideways
  const middle = (sourceY + targetY) / 2
  const down = `C ${sourceX} ${sourceY + swing}, ${side} ${sourceY + swing}, ${side} ${middle}`
  const up = `C ${side} ${targetY - swing}, ${targetX} ${targetY - swing}, ${targetX} ${targetY}`
  return [`M ${sourceX} ${sourceY} ${down} ${up}`, side, middle]
}

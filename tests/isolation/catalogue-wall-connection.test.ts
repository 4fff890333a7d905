import { holdTheWall } from './hold-the-wall.ts';

holdTheWall('connection');

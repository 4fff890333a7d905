import { holdTheWall } from './hold-the-wall.ts';

holdTheWall('session');

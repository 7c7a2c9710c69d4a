use gaitway_core::*;
fn main() {
    let f = std::env::args().nth(1).unwrap();
    for imp in gaitway_io::read_file(f.as_ref(), &Default::default()).unwrap().into_iter().take(1) {
        let c = ground::travel_to_root(&imp.clip);
        let w = fk::world_points(&c);
        let s = c.skeleton();
        let fr = c.frame_count()/2;
        for j in s.joints() { println!("{:30} parent {:28} {:.3}  rest {:.3}", s.name(j), s.parent(j).map_or("-", |p| s.name(p)), w.at(fr, j.index()), s.offset(j)); }
        for (i,_) in s.end_sites().iter().enumerate() { let p = s.end_site_point(i); println!("{:30} {:.3}", s.point_name(p), w.at(fr, p.index())); }
        println!("{}", c.frame_count());
    }
}
